/** The part of node-gyp-build that is used; it comes without types. */
declare module 'node-gyp-build' {
  /** The path of the addon that fits this runtime; throws where there is none. */
  export function resolve(packageDirectory: string): string;
}
