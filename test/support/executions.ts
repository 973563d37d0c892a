/**
 * Checks what a GPU executes against Direct3D 12's rules: what a command list uses (descriptors, memory, operators, its
 * allocator) stays as it is until the GPU has finished the list, and no list is executed again before that.
 */

interface Heap {
  readonly name: string;
  readonly cpu: number;
  readonly gpu: number;
  readonly size: number;
  /** The distance between two descriptors, in bytes. */
  readonly step: number;
}

/** The descriptors of one binding table: those that were written one directly after the other. */
interface Table {
  readonly heap: Heap;
  readonly descriptors: number[];
  readonly resources: Set<string>;
}

class List {
  heap: Heap | undefined;
  readonly tables = new Set<Table>();
  readonly objects = new Set<string>();
  /** The first fault since the list was recorded: something that it uses was changed or freed. */
  spoilt: string | undefined;
  isExecuted = false;
  /** The fence value after which the list has finished; undefined until a signal follows the list. */
  finishedAt: number | undefined;

  constructor(readonly allocator: string) {}

  uses(object: string): boolean {
    return this.allocator === object || this.objects.has(object) || [...this.tables].some((table) => table.resources.has(object));
  }
}

/** The complaints, and counts with which a test can check that the log exercised enough. */
export interface Execution {
  readonly complaints: readonly string[];
  readonly executed: number;
  /** The most lists that were in flight at once. */
  readonly mostInFlight: number;
  readonly heaps: number;
  /** Descriptors that were written over earlier ones. */
  readonly rewritten: number;
  /** For each mark that the program made: the buffers that copies or descriptors had used until then and that were not freed. */
  readonly marks: readonly ReadonlySet<string>[];
}

/** Judges the log of the sandbox's bridge (sandbox/bridge/execution.cpp). */
export function judgeExecution(notes: readonly string[]): Execution {
  const heaps = new Map<string, Heap>();
  const written = new Map<number, Table>();
  const lists = new Map<string, List>();
  const unsignalled = new Set<List>();
  const buffers = new Set<string>();
  const marks: Set<string>[] = [];
  const complaints: string[] = [];
  const counts = { executed: 0, mostInFlight: 0, heaps: 0, rewritten: 0 };
  let passed = 0;
  let table: Table | undefined;

  const isInFlight = ({ isExecuted, finishedAt }: List) => isExecuted && (finishedAt === undefined || finishedAt > passed);
  const inFlight = () => [...lists.values()].filter(isInFlight);
  const heapAt = (address: number, first: 'cpu' | 'gpu') =>
    [...heaps.values()].find((heap) => address >= heap[first] && address < heap[first] + heap.size * heap.step);

  for (const [i, note] of notes.entries()) {
    const [value = '', kind = '', ...names] = note.split(' ');
    const [name = '', other = '', third = ''] = names;
    const complain = (what: string) => complaints.push(`${i}: ${note}: ${what}`);
    const listOf = () => lists.get(name) ?? new List('');
    /** Notes that something which lists may use is changed or freed. */
    const spoil = (what: string, isUsed: (list: List) => boolean) => {
      for (const list of lists.values()) {
        if (!isUsed(list)) continue;
        if (isInFlight(list)) complain(`${what} in flight`);
        list.spoilt ??= what;
      }
    };
    passed = Number(value);
    if (kind !== 'view') table = undefined;
    switch (kind) {
      case 'heap': {
        const [cpu = NaN, gpu = NaN] = [other, third].map((address) => Number.parseInt(address, 16));
        heaps.set(name, { name, cpu, gpu, size: Number(names[3]), step: Number(names[4]) });
        counts.heaps++;
        break;
      }
      case 'view': {
        const address = Number.parseInt(name, 16);
        const heap = heapAt(address, 'cpu');
        if (heap === undefined) {
          complain('a descriptor outside of every heap');
          break;
        }
        table ??= { heap, descriptors: [], resources: new Set() };
        if (table.heap !== heap) complain('a table reaches over the end of its heap');
        const before = written.get(address);
        if (before !== undefined) {
          counts.rewritten++;
          if (before === table) complain('a descriptor of this table is written twice');
          spoil('a descriptor was overwritten', (list) => list.tables.has(before));
        }
        written.set(address, table);
        table.descriptors.push(address);
        table.resources.add(other);
        buffers.add(other);
        break;
      }
      case 'open': {
        if (isInFlight(listOf())) complain('it is recorded in flight');
        lists.set(name, new List(other));
        break;
      }
      case 'reset':
        spoil('the allocator was reset', ({ allocator }) => allocator === name);
        break;
      case 'heaps': {
        listOf().heap = heaps.get(other);
        listOf().objects.add(other);
        break;
      }
      case 'table': {
        const { heap } = listOf();
        const gpu = Number.parseInt(other, 16);
        const used = heap && heapAt(gpu, 'gpu') === heap ? written.get(heap.cpu + gpu - heap.gpu) : undefined;
        if (used === undefined) complain("a table that is not in the list's heap");
        else listOf().tables.add(used);
        break;
      }
      case 'operator':
        listOf().objects.add(other);
        break;
      case 'copy':
        listOf().objects.add(other).add(third);
        buffers.add(other);
        break;
      case 'execute':
        for (const list of names.map((each) => lists.get(each) ?? new List(''))) {
          if (isInFlight(list)) complain('it is executed again in flight');
          if (list.spoilt !== undefined) complain(`${list.spoilt} before`);
          list.isExecuted = true;
          list.finishedAt = undefined;
          unsignalled.add(list);
          counts.executed++;
        }
        counts.mostInFlight = Math.max(counts.mostInFlight, inFlight().length);
        break;
      case 'mark':
        marks.push(new Set(buffers));
        break;
      case 'signal':
        for (const list of unsignalled) list.finishedAt = Number(name);
        unsignalled.clear();
        break;
      case 'free': {
        const list = lists.get(name);
        if (list && isInFlight(list)) complain('a list is freed in flight');
        spoil('something was freed', (user) => user.uses(name));
        lists.delete(name);
        const heap = heaps.get(name);
        for (let at = 0; heap && at < heap.size; at++) written.delete(heap.cpu + at * heap.step);
        heaps.delete(name);
        buffers.delete(name);
        break;
      }
      default:
        complain('an unknown note');
    }
  }
  if (unsignalled.size > 0) complaints.push('at the end: lists without a signal');
  return { complaints, ...counts, marks };
}
