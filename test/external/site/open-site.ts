/** Builds the site and serves it, as GitHub Pages does. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serve } from '../../../scripts/docs/serve.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Rejects with what the build printed, such as dead links. */
export async function openSite(): ReturnType<typeof serve> {
  await promisify(execFile)(process.execPath, ['scripts/docs.mjs', '--site'], { cwd: root });
  return serve();
}
