/** Stands for run.ts where onnxruntime is not there: in the packed command line. */

export function runInOnnxruntime(): Promise<string> {
  return Promise.resolve('not compared: onnxruntime is only used by the tests of this package');
}
