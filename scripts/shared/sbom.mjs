// @ts-check
// The software bill of materials of the package in the format CycloneDX 1.6: its native files, what they are made of, and their
// SHA-256. It has no times and no random numbers, so the same files give the same bill.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './common.mjs';

export const sbomName = 'sbom.cdx.json';
export const archs = /** @type {const} */ (['x64', 'arm64']);

const mit = [{ license: { id: 'MIT' } }];

/** Writes the bill of the package in a folder into it. */
export function writeSbom(folder = checkout) {
  writeFileSync(join(folder, sbomName), `${JSON.stringify(sbomOf(folder), null, 2)}\n`);
}

function sbomOf(/** @type {string} */ folder) {
  const { name, version, license } = readJson('package.json');
  const purl = `pkg:npm/${name}@${version}`;
  const built = archs.filter((arch) => existsSync(join(folder, 'prebuilds', `win32-${arch}`)));
  const files = built.flatMap((arch) => [addon(folder, arch), directml(folder, arch)]);
  const linked = linkedLibraries();
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] } },
    components: [...files, ...linked],
    dependencies: [
      { ref: purl, dependsOn: files.map((file) => file['bom-ref']) },
      ...files
        .filter(({ type }) => type === 'file')
        .map((file) => ({ ref: file['bom-ref'], dependsOn: linked.map(({ purl }) => purl) })),
    ],
  };
}

function addon(/** @type {string} */ folder, /** @type {string} */ arch) {
  const path = `prebuilds/win32-${arch}/node-directml.node`;
  return { type: 'file', 'bom-ref': path, name: path, hashes: hashesOf(join(folder, path)), licenses: mit };
}

function directml(/** @type {string} */ folder, /** @type {string} */ arch) {
  const path = `prebuilds/win32-${arch}/DirectML.dll`;
  const release = fileVersion(readFileSync(join(folder, path)))
    .split('.')
    .slice(0, 3)
    .join('.');
  const terms = `https://www.nuget.org/packages/Microsoft.AI.DirectML/${release}/License`;
  const source = readJson('native/package.json').devDependencies['onnxruntime-node'];
  return {
    type: 'library',
    'bom-ref': path,
    supplier: { name: 'Microsoft Corporation' },
    name: 'Microsoft.AI.DirectML',
    version: release,
    hashes: hashesOf(join(folder, path)),
    licenses: [{ license: { name: 'MICROSOFT SOFTWARE LICENSE TERMS, MICROSOFT DIRECTML', url: terms } }],
    purl: `pkg:nuget/Microsoft.AI.DirectML@${release}`,
    externalReferences: [{ type: 'distribution', url: `https://www.npmjs.com/package/onnxruntime-node/v/${source}` }],
    properties: [{ name: 'path', value: path }],
  };
}

/** The headers that the addon is compiled with; it links nothing but the runtime of its compiler, and Windows. */
function linkedLibraries() {
  const { devDependencies } = readJson('package.json');
  const headers = /v(\d+\.\d+\.\d+), named by its commit/.exec(
    readFileSync(join(checkout, 'native', 'CMakeLists.txt'), 'utf8'),
  )?.[1];
  const ofNpm = ['node-addon-api', 'node-api-headers'].map((name) => {
    const version = devDependencies[name];
    return { name, version, purl: `pkg:npm/${name}@${version}` };
  });
  const directx = { name: 'DirectX-Headers', version: headers, purl: `pkg:github/microsoft/DirectX-Headers@v${headers}` };
  return [...ofNpm, directx].map((one) => ({ type: 'library', 'bom-ref': one.purl, ...one, licenses: mit }));
}

function hashesOf(/** @type {string} */ path) {
  return [{ alg: 'SHA-256', content: sha256(readFileSync(path)) }];
}

export function sha256(/** @type {Buffer} */ bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads the file version from the DLL's VS_FIXEDFILEINFO, which starts with the signature 0xFEEF04BD. */
export function fileVersion(/** @type {Buffer} */ bytes) {
  const at = bytes.lastIndexOf(Buffer.from([0xbd, 0x04, 0xef, 0xfe]));
  if (at < 0) throw new Error('DirectML.dll has no version resource');
  const high = bytes.readUInt32LE(at + 8),
    low = bytes.readUInt32LE(at + 12);
  return `${high >>> 16}.${high & 0xffff}.${low >>> 16}.${low & 0xffff}`;
}

function readJson(/** @type {string} */ path) {
  return JSON.parse(readFileSync(join(checkout, path), 'utf8'));
}
