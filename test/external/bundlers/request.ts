/** The request to a bundler. */
interface BundleRequest {
  /** The folder of the application, with the package in its node_modules. */
  readonly app: string;
  /** The program, with an absolute path. */
  readonly entry: string;
  /** True if the package stays outside of the bundle. */
  readonly isExternal: boolean;
  /** The folder for `main.mjs` and `main.cjs`. */
  readonly output: string;
}

export type Bundler = (request: BundleRequest) => Promise<void>;

export const formats = ['es', 'cjs'] as const;
export const nameOf = (format: string) => (format === 'cjs' ? 'main.cjs' : 'main.mjs');
export const packageName = 'node-directml';

/** Throws if there are warnings: no bundler may warn about the package. */
export function refuse(warnings: readonly string[]): void {
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
}
