declare module 'oidc-provider' {
  /** The part of the package that the proofs use; it brings no types along. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: object, response: object) => void;
  }
}
