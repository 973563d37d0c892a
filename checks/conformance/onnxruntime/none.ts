/** Replaces run.ts in the packed command line, which has no onnxruntime. */

export function runInOnnxruntime(): Promise<string> {
  return Promise.resolve('not compared: onnxruntime is only used by the tests of this package');
}
