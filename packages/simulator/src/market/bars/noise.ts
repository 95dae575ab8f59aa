/**
 * Deterministic randomness written here: hashes for random access, a small generator for streams.
 * Nothing of it is secret or secure; the same seed gives the same market on every machine.
 */

/** Mixes four 32-bit integers into one well-spread unsigned 32-bit integer. */
export function hash32(seed: number, stream: number, index: number, salt: number): number {
  let state = seed | 0;
  state = Math.imul(state ^ Math.imul(stream, 0x9e3779b1), 0x85ebca6b);
  state ^= state >>> 15;
  state = Math.imul(state ^ Math.imul(index, 0xc2b2ae35), 0x27d4eb2f);
  state ^= state >>> 13;
  state = Math.imul(state ^ Math.imul(salt, 0x165667b1), 0x9e3779b1);
  state ^= state >>> 16;
  state = Math.imul(state, 0x7feb352d);
  state ^= state >>> 15;
  state = Math.imul(state, 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
}

/** A number for a text such as a symbol, so that it can be a hash's stream. */
export function textStream(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  }
  return state >>> 0;
}

// The sum of four bytes has mean 510 and variance 4 × (256² - 1) / 12.
const BYTE_SUM_MEAN = 510;
const BYTE_SUM_DEVIATION = Math.sqrt((4 * (256 * 256 - 1)) / 12);

/** Nearly normal number (mean 0, deviation 1, within ±3.45) from 32 random bits: cheap, for minutes and seconds. */
export function quickNormal(bits: number): number {
  const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
  return (sum - BYTE_SUM_MEAN) / BYTE_SUM_DEVIATION;
}

/** Uniform number in (0, 1) from 32 random bits: never 0 or 1. */
export function uniform(bits: number): number {
  return (bits + 0.5) / 4294967296;
}

/** Exactly normal number (Box and Muller 1958) from a seed and a place: for the long walk. */
export function normalAt(seed: number, stream: number, index: number, salt: number): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(hash32(seed, stream, index, salt * 2))));
  return radius * Math.cos(2 * Math.PI * uniform(hash32(seed, stream, index, salt * 2 + 1)));
}

/** 1024 draws whose logarithms are normal with this deviation: indexed by random bits, they spare a power for each draw. */
export function logNormals(deviation: number): Float64Array {
  return Float64Array.from({ length: 1_024 }, (_, at) => Math.exp(deviation * normalAt(1, 2, at, 3)));
}

/**
 * 1024 draws from a distribution that is known at some quantiles, ascending; in between the logarithms lie on a line.
 * @param quantiles [share of draws below, value], the first at 0 and the last at 1, values above 0.
 */
export function drawsBetween(quantiles: readonly (readonly [number, number])[]): Float64Array {
  return Float64Array.from({ length: 1_024 }, (_, at) => {
    const share = (at + 0.5) / 1_024;
    const above = Math.max(
      1,
      quantiles.findIndex(([upTo]) => upTo >= share),
    );
    const [from, least] = quantiles[above - 1] as readonly [number, number];
    const [to, most] = quantiles[above] as readonly [number, number];
    return least * (most / least) ** ((share - from) / (to - from));
  });
}

/** A stream of random numbers with its own state, for agents. */
export interface RandomStream {
  /** Uniform in (0, 1). */
  next(): number;
  /** Whole number from 0 to `below` - 1. */
  below(bound: number): number;
  /** Nearly normal, mean 0 and deviation 1. */
  normal(): number;
  /** Exponential with mean 1. */
  exponential(): number;
}

/** Makes a stream: a 32-bit counter through the hash above, so that any two streams are unrelated. */
export function randomStream(seed: number, stream: number): RandomStream {
  let counter = 0;
  const bits = (): number => {
    counter = (counter + 1) | 0;
    return hash32(seed, stream, counter, 0x5bd1);
  };
  return {
    next: () => uniform(bits()),
    below: (bound) => Math.floor(uniform(bits()) * bound),
    normal: () => quickNormal(bits()),
    exponential: () => -Math.log(uniform(bits())),
  };
}
