/** Puts a file where a model has it: as it is, behind links, or something else in its place. */
import { linkSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Random } from '../harness/random.js';

/** The folders of a draw. */
export interface Site {
  /** Of the model. */
  readonly folder: string;
  /** As in a cache of models, whose folders have links to it. */
  readonly blobs: string;
  /** A file that no model may read. */
  readonly secret: string;
  /** A named pipe; null where files cannot be pipes. */
  readonly pipe: string | null;
  readonly hasLinks: boolean;
}

interface Placed {
  readonly what: string;
  /** To be called after the call that reads the file has begun. */
  readonly meanwhile?: () => void;
}

type Put = (site: Site, path: string, bytes: Uint8Array, random: Random) => void;

interface Way {
  readonly weight: number;
  readonly what: string;
  readonly needs?: 'links' | 'pipe';
  /** Not for the file that the program names. */
  readonly isForOthers?: true;
  readonly put: Put;
  /** What happens soon after the call has begun. */
  readonly later?: Put;
}

/** In bytes. No machine has so much memory. */
const HUGE = 2 ** 43;
const DEVICES = ['/dev/zero', '/dev/null', '/dev/urandom', '/dev/full', '/dev/tty', '/proc/self/environ', '/proc/self/mem'];

const write: Put = (_site, path, bytes) => {
  writeFileSync(path, bytes);
};

const linkTo =
  (targetOf: (site: Site, path: string, random: Random) => string): Put =>
  (site, path, _bytes, random) => {
    symlinkSync(targetOf(site, path, random), path);
  };

const becomes: Put = (_site, path) => {
  renameSync(`${path}.next`, path);
};

const ways: readonly Way[] = [
  { weight: 80, what: 'a file', put: write },
  { weight: 1, what: 'a folder', put: (_site, path) => void mkdirSync(path, { recursive: true }) },
  { weight: 1, what: 'nothing', put: () => undefined },
  {
    weight: 1,
    what: 'a file with a huge hole',
    needs: 'links',
    put(site, path, bytes, random) {
      write(site, path, bytes, random);
      truncateSync(path, HUGE);
    },
  },
  {
    weight: 2,
    what: 'a link in the folder',
    needs: 'links',
    put(_site, path, bytes) {
      writeFileSync(`${path}.target`, bytes);
      symlinkSync(`${basename(path)}.target`, path);
    },
  },
  {
    weight: 4,
    what: 'a link into a cache',
    needs: 'links',
    put({ blobs }, path, bytes, random) {
      const target = join(blobs, basename(path));
      writeFileSync(target, bytes);
      symlinkSync(random.chance(0.5) ? target : relative(dirname(path), target), path);
    },
  },
  {
    weight: 4,
    what: 'a link outside',
    needs: 'links',
    isForOthers: true,
    put: linkTo(({ secret }, path, random) => (random.chance(0.5) ? secret : relative(dirname(path), secret))),
  },
  { weight: 1, what: 'a link to itself', needs: 'links', put: linkTo((_site, path) => basename(path)) },
  { weight: 1, what: 'a link to nothing', needs: 'links', put: linkTo(() => 'nothing') },
  { weight: 2, what: 'a device', needs: 'links', isForOthers: true, put: linkTo((_site, _path, random) => random.pick(DEVICES)) },
  { weight: 1, what: 'a link to a pipe', needs: 'pipe', put: linkTo(({ pipe }) => pipe ?? '') },
  {
    weight: 1,
    what: 'a pipe',
    needs: 'pipe',
    put({ pipe }, path) {
      linkSync(pipe ?? '', path);
    },
  },
  {
    weight: 2,
    what: 'a file that becomes a pipe',
    needs: 'pipe',
    put({ pipe }, path, bytes) {
      writeFileSync(path, bytes);
      linkSync(pipe ?? '', `${path}.next`);
    },
    later: becomes,
  },
  {
    weight: 2,
    what: 'a file that becomes a link outside',
    needs: 'links',
    isForOthers: true,
    put({ secret }, path, bytes) {
      writeFileSync(path, bytes);
      symlinkSync(secret, `${path}.next`);
    },
    later: becomes,
  },
];

/** @param isNamed True for a file that the program names; it may be anywhere. */
export function place(random: Random, site: Site, path: string, bytes: Uint8Array, isNamed: boolean): Placed {
  const isPossible = ({ needs, isForOthers }: Way) =>
    (needs === undefined || (needs === 'links' ? site.hasLinks : site.pipe !== null)) && !(isNamed && isForOthers === true);
  const tickets = ways.filter(isPossible).flatMap((way) => new Array<Way>(way.weight).fill(way));
  const { what, put, later } = random.pick(tickets);
  mkdirSync(dirname(path), { recursive: true });
  put(site, path, bytes, random);
  const turns = random.int(0, 6);
  return { what, ...(later && { meanwhile: after(turns, () => later(site, path, bytes, random)) }) };
}

/** Does something after so many turns of the event loop. */
function after(turns: number, work: () => void): () => void {
  return () => {
    if (turns === 0) work();
    else setImmediate(after(turns - 1, work));
  };
}
