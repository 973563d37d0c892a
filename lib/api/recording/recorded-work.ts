/** What `device.record` collects for a recording. */
import type { TextureCopy } from '../../backends/backend.js';
import { DirectMLError } from '../../values/errors.js';
import type { BindingPlan } from '../operators/binding-plan.js';
import { refuseIfDisposed, type BoundBuffer, type BoundTensor, type Dispatch } from '../operators/dispatch.js';

/** The largest number of commands of a recording. */
const maxCommands = 65_536;

/** What the function of `device.record` that runs now is collected in; null outside of it. */
let running: RecordedWork | null = null;

/** Calls the function of `device.record`. */
export function collectIn<T>(recorded: RecordedWork, work: () => T): T {
  const before = running;
  running = recorded;
  try {
    return work();
  } finally {
    running = before;
  }
}

/**
 * For methods that know their device only later.
 *
 * @throws {DirectMLError} ERR_NOT_RECORDABLE within `device.record` of any device, which then fails too.
 */
export function refuseInRecording(method: string): void {
  if (running !== null) throw running.refuse(method);
}

/** Compiled work that is dispatched. */
interface Dispatched {
  /** The shared constants of a graph; another array after they were replaced. */
  readonly constants: readonly BoundTensor[];
  /** @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if the work or its device can no longer be used. */
  check(method: string): void;
  /** @throws {DirectMLError} ERR_ALIASED_BINDING if an output shares bytes with a constant. */
  refuseWritten(dispatch: Dispatch): void;
}

/** A texture, or a buffer. */
interface Owner {
  /** @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if it can no longer be used. */
  check(method: string): void;
}

/** What a recording runs, and everything that has to be alive for it. */
export class RecordedWork {
  readonly commands: (Dispatch | TextureCopy)[] = [];
  readonly dispatches: Dispatch[] = [];
  /** By work, its constants when the dispatches were checked. */
  readonly #works = new Map<Dispatched, readonly BoundTensor[]>();
  /** By dispatch, its work. */
  readonly #workOf: Dispatched[] = [];
  /** By buffer, the first tensor for which it is bound. */
  readonly #buffers = new Map<BoundBuffer, { readonly plan: BindingPlan; readonly path: string }>();
  /** The textures and buffers of copies. */
  readonly #owners = new Set<Owner>();
  /** The device's number of changes when everything was checked; null before that. */
  #checked: number | null = null;
  #refused: DirectMLError | null = null;

  addCopy(copy: TextureCopy, owners: readonly Owner[]): void {
    this.#push(copy);
    for (const owner of owners) this.#owners.add(owner);
  }

  add(work: Dispatched, dispatch: Dispatch): void {
    this.#push(dispatch);
    const { plan, inputs, outputs } = dispatch;
    this.dispatches.push(dispatch);
    this.#works.set(work, work.constants);
    this.#workOf.push(work);
    for (const tensors of [inputs, outputs]) {
      for (const bound of tensors) {
        if (bound !== null && !this.#buffers.has(bound.owner)) this.#buffers.set(bound.owner, { plan, path: bound.slot.path });
      }
    }
  }

  /** Everything that has to be alive for a replay. */
  get parts(): readonly object[] {
    const constants = [...this.#works.values()].flat().map(({ owner }) => owner);
    return [...this.#works.keys(), ...constants, ...this.#buffers.keys(), ...this.#owners];
  }

  /** The error for a method that cannot be part of a recording. */
  refuse(method: string): DirectMLError {
    const why = `${method}: only dispatch may be called inside device.record`;
    return (this.#refused ??= new DirectMLError('ERR_NOT_RECORDABLE', why, { operator: method }));
  }

  /** @throws {DirectMLError} what `refuse` returned. */
  finish(): void {
    if (this.#refused !== null) throw this.#refused;
  }

  /**
   * @param changes See the `changes` of `DeviceContext`.
   * @throws {DirectMLError} ERR_DISPOSED if something that the recording needs is disposed.
   */
  check(method: string, changes: number): void {
    if (changes === this.#checked) return;
    for (const [work, constants] of this.#works) {
      work.check(method);
      if (work.constants === constants) continue;
      for (const [i, dispatch] of this.dispatches.entries()) if (this.#workOf[i] === work) work.refuseWritten(dispatch);
      this.#works.set(work, work.constants);
    }
    for (const [buffer, { plan, path }] of this.#buffers) refuseIfDisposed(plan, path, buffer);
    for (const owner of this.#owners) owner.check(method);
    this.#checked = changes;
  }

  #push(command: Dispatch | TextureCopy): void {
    if (this.commands.length === maxCommands) {
      const why = `record: a recording has at most ${maxCommands.toLocaleString('en')} dispatches`;
      throw (this.#refused = new DirectMLError('ERR_OUT_OF_RANGE', why, { operator: 'record' }));
    }
    this.commands.push(command);
  }
}
