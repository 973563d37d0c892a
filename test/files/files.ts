/** Files that tests write, and a folder for them. */
export * from '../../checks/malformed/files/contents.js';
export { folderOfFiles } from '../support/folder-of-files.js';
