/**
 * Holds the barriers of a recording against what its commands need, as Direct3D 12 has it: dispatches wait for each other
 * only at unordered-access barriers, copies take place in states of their own, and from COMMON a buffer goes into the
 * state of its first use by itself.
 */

/** A command in recorded order, by buffers' numbers. */
export type Step =
  { readonly reads: readonly number[]; readonly write: number } | { readonly copyTo: number } | { readonly copyFrom: number };

export interface Recording {
  readonly steps: readonly Step[];
  /** What the bridge noted (sandbox/bridge/recording.cpp): all of one command list, its end included. */
  readonly notes: readonly string[];
}

/** D3D12_RESOURCE_STATES. */
const COMMON = 0x0;
const UNORDERED_ACCESS = 0x8;
const COPY_DEST = 0x400;
const COPY_SOURCE = 0x800;

class Buffer {
  state = COMMON;
  /** By dispatches that nothing separates from the next one. */
  isRead = false;
  isWritten = false;
  /** Copied into since it entered COPY_DEST. */
  isCopiedTo = false;
}

/** What is wrong with it; `names` are the buffers' in the notes. */
export function judgeRecording({ steps, notes }: Recording, names: readonly string[]): string[] {
  const buffers = names.map(() => new Buffer());
  const complaints: string[] = [];
  const rest = [...notes];
  const take = (): string[] => (rest.shift() ?? 'the end').split(' ');
  const bufferAt = (index: number): Buffer => buffers[index] ?? new Buffer();

  for (const [i, step] of steps.entries()) {
    const complain = (what: string) => complaints.push(`step ${i}: ${what}`);
    const command = 'write' in step ? 'dispatch' : 'copy';
    // Where an unordered-access barrier comes before the step, what there was to wait for.
    let before: readonly Buffer[] | null = null;
    let note = take();
    for (; note[0] === 'uav' || note[0] === 'transition'; note = take()) {
      if (note[0] === 'uav') {
        if (before !== null) complain('two barriers, where one does');
        before = buffers.map((buffer) => Object.assign(new Buffer(), buffer));
        for (const buffer of buffers) buffer.isRead = buffer.isWritten = false;
      } else {
        transition(bufferAt(names.indexOf(note[1] ?? '')), Number(note[2]), Number(note[3]), complain);
      }
    }
    if (note[0] !== command) {
      complain(`a ${command} is recorded as ${note.join(' ')}`);
      return complaints;
    }
    if ('write' in step) {
      const isNeeded = before === null || hazardOf(step, (index) => before[index] ?? new Buffer()) !== null;
      if (!isNeeded) complain('a barrier that it does not need');
      const hazard = hazardOf(step, bufferAt);
      if (hazard !== null) complain(`no barrier for ${hazard}`);
      for (const index of step.reads) use(bufferAt(index), UNORDERED_ACCESS, complain).isRead = true;
      use(bufferAt(step.write), UNORDERED_ACCESS, complain).isWritten = true;
    } else if ('copyTo' in step) {
      if (note[1] !== names[step.copyTo]) complain('a copy to another buffer');
      const buffer = use(bufferAt(step.copyTo), COPY_DEST, complain);
      if (buffer.isCopiedTo) complain('no transition between two copies to the same bytes');
      buffer.isCopiedTo = true;
    } else {
      if (note[2] !== names[step.copyFrom]) complain('a copy from another buffer');
      use(bufferAt(step.copyFrom), COPY_SOURCE, complain);
    }
  }
  if (rest.join() !== 'close') complaints.push(`at the end: ${rest.join(', ')}`);
  return complaints;
}

function hazardOf({ reads, write }: Extract<Step, { write: number }>, at: (index: number) => Buffer): string | null {
  const read = reads.find((index) => at(index).isWritten);
  if (read !== undefined) return `a read of buffer ${read} after a write`;
  if (at(write).isWritten) return `a write to buffer ${write} after a write`;
  return at(write).isRead ? `a write to buffer ${write} after a read` : null;
}

/** Also orders all access before it. */
function transition(buffer: Buffer, from: number, to: number, complain: (what: string) => void): void {
  if (buffer.state !== from) complain(`a transition from state ${from} of a buffer in state ${buffer.state}`);
  Object.assign(buffer, { state: to, isRead: false, isWritten: false, isCopiedTo: false });
}

function use(buffer: Buffer, state: number, complain: (what: string) => void): Buffer {
  if (buffer.state === COMMON) buffer.state = state;
  if (buffer.state !== state) complain(`needs state ${state} of a buffer in state ${buffer.state}`);
  return buffer;
}
