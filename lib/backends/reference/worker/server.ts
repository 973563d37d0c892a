/** The worker's side: runs the commands on the reference backend. */
import type { ResolvedGraph } from '../../../graph/resolved-graph.js';
import type { ResolvedOperator } from '../../../descriptors/resolved.js';
import type { BackendBuffer, BackendRecording, BufferRange, ConstantMemory, DispatchCommand } from '../../backend.js';
import { bytesIn, copyOfBytes, ReferenceBuffer } from '../buffer.js';
import { ReferenceGraph } from '../graph.js';
import { ReferenceOperator } from '../index.js';
import { lackOf, LastingBackend } from './lasting-backend.js';
import { commands, counters, type Answer, type Batch, type Values } from './protocol.js';
import { countedBytes } from './shared-buffer.js';

type Post = (answer: Answer, moved: ArrayBuffer[]) => void;

/** What has a number. */
type Thing = ReferenceBuffer | ReferenceOperator | ReferenceGraph | BackendRecording;

export class Server {
  readonly #backend = new LastingBackend();
  readonly #counters: Int32Array;
  readonly #post: Post;
  readonly #things = new Map<number, Thing>();
  #numbers: Float64Array = new Float64Array(0);
  #at = 0;
  #isLacking = false;
  #values: Values = {};
  #valueAt = 0;

  constructor(shared: Int32Array, post: Post) {
    this.#counters = shared;
    this.#post = post;
  }

  run({ numbers, values }: Batch): void {
    this.#numbers = numbers;
    this.#values = values;
    this.#at = this.#valueAt = 0;
    while (this.#at < numbers.length) {
      this.#runNext();
      if (this.#isLacking !== this.#backend.isLacking) this.#tellLacking();
      Atomics.add(this.#counters, counters.run, 1);
    }
  }

  #runNext(): void {
    switch (this.#next()) {
      case commands.dispatch:
        return this.#backend.dispatch(this.#dispatch());
      case commands.replay:
        return this.#recording(this.#next()).replay();
      case commands.copy:
        return this.#backend.copy(this.#range(), this.#range());
      case commands.write:
        return this.#backend.write(this.#buffer(this.#next()), this.#next(), this.#value<Uint8Array>());
      case commands.read:
        return this.#read(this.#next(), this.#range());
      case commands.report:
        return this.#report(this.#next(), this.#rangeOrNull());
      case commands.reached:
        return this.#post({ request: this.#next(), bytes: null, lack: null }, []);
      case commands.wait:
        return this.#wait(this.#next());
      case commands.initialize: {
        const graph = this.#thing(this.#next());
        if (!(graph instanceof ReferenceGraph)) throw new TypeError('only graphs can be initialized');
        return graph.initialize(this.#constants());
      }
      case commands.dispose:
        return this.#dispose(this.#next());
      default:
        this.#at--;
        return this.#make();
    }
  }

  /** Commands that make something with a number. */
  #make(): void {
    const command = this.#next();
    const number = this.#next();
    this.#things.set(number, this.#made(command));
  }

  #made(command: number): Thing {
    switch (command) {
      case commands.buffer: {
        const bytes = countedBytes(this.#value<SharedArrayBuffer>());
        return new ReferenceBuffer(bytes.length, null, bytes);
      }
      case commands.operator:
        return new ReferenceOperator(this.#value<ResolvedOperator>(), this.#ranges());
      case commands.graph:
        return new ReferenceGraph(this.#value<ResolvedGraph>(), this.#constants());
      case commands.recording:
        return this.#backend.createRecording(Array.from({ length: this.#next() }, () => this.#dispatch()));
      default:
        throw new TypeError(`there is no command ${command}`);
    }
  }

  #read(request: number, range: BufferRange): void {
    const lack = this.#backend.tellOf(range);
    if (lack !== null) return this.#post({ request, bytes: null, lack }, []);
    try {
      const { buffer } = copyOfBytes(bytesIn(range));
      this.#post({ request, bytes: buffer, lack }, [buffer]);
    } catch (error) {
      this.#post({ request, bytes: null, lack: lackOf(error) }, []);
    }
  }

  #report(request: number, range: BufferRange | null): void {
    this.#post({ request, bytes: null, lack: this.#backend.tellOf(range) }, []);
  }

  #tellLacking(): void {
    this.#isLacking = this.#backend.isLacking;
    Atomics.store(this.#counters, counters.lacking, Number(this.#isLacking));
  }

  #wait(count: number): void {
    for (;;) {
      const taken = Atomics.load(this.#counters, counters.taken);
      if (((taken - count) | 0) >= 0) return;
      Atomics.wait(this.#counters, counters.taken, taken);
    }
  }

  #dispose(number: number): void {
    const thing = this.#thing(number);
    this.#things.delete(number);
    if (thing instanceof ReferenceBuffer) this.#backend.lacking.forget(thing);
    thing.dispose();
  }

  #next(): number {
    return this.#numbers[this.#at++] ?? NaN;
  }

  /** The next value. The cast is safe: the command says what the JavaScript thread has put there. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it is the type of the command's value
  #value<T>(): T {
    return this.#values[this.#valueAt++] as T;
  }

  #dispatch(): DispatchCommand {
    const dispatchable = needDispatchable(this.#thing(this.#next()));
    return { dispatchable, inputs: this.#ranges(), outputs: this.#ranges() };
  }

  #ranges(): (BufferRange | null)[] {
    const count = this.#next();
    const ranges: (BufferRange | null)[] = [];
    for (let i = 0; i < count; i++) ranges.push(this.#rangeOrNull());
    return ranges;
  }

  #rangeOrNull(): BufferRange | null {
    const number = this.#next();
    return number === 0 ? null : { buffer: this.#buffer(number), offset: this.#next(), sizeInBytes: this.#next() };
  }

  #range(): BufferRange {
    const range = this.#rangeOrNull();
    if (range === null) throw new TypeError('a range is missing');
    return range;
  }

  #constants(): ConstantMemory[] {
    return this.#ranges().flatMap((range) => (range === null ? [] : [{ range, isOwn: true }]));
  }

  #thing(number: number): Thing {
    const thing = this.#things.get(number);
    if (thing === undefined) throw new TypeError(`nothing has the number ${number}`);
    return thing;
  }

  #buffer(number: number): BackendBuffer {
    const thing = this.#thing(number);
    if (!(thing instanceof ReferenceBuffer)) throw new TypeError(`number ${number} is no buffer`);
    return thing;
  }

  #recording(number: number): BackendRecording {
    const thing = this.#thing(number);
    if (!('replay' in thing)) throw new TypeError(`number ${number} is no recording`);
    return thing;
  }
}

function needDispatchable(thing: Thing): ReferenceOperator | ReferenceGraph {
  if (thing instanceof ReferenceOperator || thing instanceof ReferenceGraph) return thing;
  throw new TypeError('only operators and graphs can be dispatched');
}
