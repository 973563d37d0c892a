/** How the models of packages.json are run. */
import { integer, noise, picture, pictureOfPixels, sound, zeros, type Input, type Range } from './inputs.js';

/** Two sets of inputs: with other sizes, where the model has free ones. */
type Runs = readonly [Readonly<Record<string, Input>>, Readonly<Record<string, Input>>];

interface ModelRuns {
  readonly runs: Runs;
  /** The largest difference, relative to the largest magnitude of the output. Default: 1e-4. */
  readonly tolerance?: number;
  /** The nodes that JavaScript computes, each with the cause. Default: none. */
  readonly onHost?: Readonly<Record<string, string>>;
}

/** By file. */
export const models: Readonly<Record<string, ModelRuns>> = {
  // Finds lines of text, turns them, and reads them.
  'ch_PP-OCRv4_det_infer.onnx': { runs: [{ x: picture([1, 3, 96, 160]) }, { x: picture([2, 3, 128, 64]) }] },
  'ch_PP-OCRv4_rec_infer.onnx': { runs: [{ x: picture([1, 3, 48, 160]) }, { x: picture([2, 3, 48, 96]) }] },
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': { runs: [{ x: picture([1, 3, 48, 192]) }, { x: picture([2, 3, 32, 100]) }] },

  // Finds speech in the sound that follows what the state says.
  'silero_vad.onnx': { runs: speech('rate') },
  'silero_vad_v5.onnx': { runs: speech('rate') },
  'silero_vad_op18_ifless.onnx': { runs: speech('rate') },
  'silero_vad_16k_op15.onnx': { runs: speech('16 kHz') },
  'silero_vad_half.onnx': { runs: speech('no rate') },
  'silero_vad_legacy.onnx': {
    runs: [
      { input: sound([1, 1536]), sr: integer(16000), h: zeros([2, 1, 64]), c: zeros([2, 1, 64]) },
      { input: sound([2, 768]), sr: integer(8000), h: noise([2, 2, 64]), c: noise([2, 2, 64]) },
    ],
  },

  // Recognizes a symbol that is drawn by hand.
  'model.onnx': { runs: both('x', () => picture([1, 1, 224, 224], [0, 1])) },

  // Faces: where they are, their marks, and what they say of a person.
  'fr_age.onnx': { runs: face([1, 3, 64, 64]) },
  'fr_detect.onnx': { runs: face([1, 3, 240, 320]) },
  'fr_expression.onnx': { runs: face([1, 3, 224, 224]) },
  'fr_eye.onnx': { runs: face([1, 1, 24, 24]) },
  'fr_feature.onnx': { runs: face([1, 3, 112, 112]) },
  'fr_gender.onnx': { runs: face([1, 3, 64, 64]) },
  'fr_landmark.onnx': { runs: face([1, 1, 64, 64]) },
  'fr_liveness.onnx': { runs: face([1, 3, 128, 128]) },
  'fr_pose.onnx': { runs: face([1, 3, 224, 224]) },
  'face_detection_back_256x256_barracuda.onnx': { runs: pixels('input:0', [1, 256, 256, 3], [-1, 1]) },
  'face_detection_front_128x128_barracuda.onnx': { runs: pixels('input:0', [1, 128, 128, 3], [-1, 1]) },

  // Finds straight lines.
  'mlsd_320x320_tiny.onnx': lines(),

  // Hears some words: sound becomes frequencies, these become features, and each of the others knows one word.
  'melspectrogram.onnx': { runs: [{ input: sound([1, 1760], 10000) }, { input: sound([2, 5000], 100) }] },
  'embedding_model.onnx': { runs: [{ input_1: noise([1, 76, 32, 1], [0, 5]) }, { input_1: noise([3, 76, 32, 1], [-1, 5]) }] },
  'alexa_v0.1.onnx': { runs: word(16) },
  'hello_deepa.onnx': { runs: word(25) },
  'hey_jarvis_v0.1.onnx': { runs: word(16, 'x.1') },
  'hey_mycroft_v0.1.onnx': { runs: word(16) },
  'hey_rhasspy_v0.1.onnx': { runs: word(16) },
  'namaste_deepa.onnx': { runs: word(24) },
  'timer_v0.1.onnx': { runs: word(34) },
  'weather_v0.1.onnx': { runs: word(22) },
};

/** Both runs draw the same kind of input. */
function both(name: string, input: (number: number) => Input): Runs {
  return [{ [name]: input(0) }, { [name]: input(1) }];
}

/** One has 16000 samples in a second, the other 8000, if the model takes both. */
function speech(kind: 'rate' | '16 kHz' | 'no rate'): Runs {
  const rates = (rate: number) => (kind === 'no rate' ? {} : { sr: integer(rate) });
  return [
    { input: sound([1, 576]), state: zeros([2, 1, 128]), ...rates(16000) },
    kind === 'rate'
      ? { input: sound([3, 288]), state: noise([2, 3, 128]), ...rates(8000) }
      : { input: sound([3, 576]), state: noise([2, 3, 128]), ...rates(16000) },
  ];
}

function face(dims: readonly number[]): Runs {
  return both('input', (number) => picture(dims, [-1 - number, 1]));
}

function pixels(name: string, dims: readonly number[], range: Range): Runs {
  return both(name, () => pictureOfPixels(dims, range));
}

/** A score counts only where it is the largest of its neighbours, so that a score that is nearly the largest may become 0. */
function lines(): ModelRuns {
  return { runs: pixels('input_image_with_alpha:0', [1, 320, 320, 4], [0, 255]), tolerance: 1e-2 };
}

function word(length: number, name = 'onnx::Flatten_0'): Runs {
  return both(name, (number) => noise([1, length, 96], number === 0 ? [-10, 10] : [-2, 2]));
}
