/**
 * A nominal type: a `T` that only its own parser can make (house style 5).
 * Three venues mean three ids for each thing, all strings; the brand keeps them apart.
 */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };
