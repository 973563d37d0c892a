/** Takes the folders out of a text that others will read: their names may contain those of people. */

/** The folders of an absolute path of Windows. Names of folders may have spaces. */
const ofDrives = /(?:\\\\\?\\)?(?:[A-Za-z]:|\\\\[^\\/:*?"<>|\s]+)\\(?:[^\\/:*?"<>|\n]+\\)*/g;
/** The same in a URL, and in the stack traces of modules: file:///C:/Users/ or file:///home/. */
const ofUrls = /file:\/\/\/?(?:[^/\s"'<>]+\/)*/g;
/** The folders of an absolute path of other systems. */
const ofRoots = /(?<![\w.:/)\]-])\/(?:[^/\s"':<>]+\/)+/g;

/** Returns the text with absolute paths that consist only of the file's name, such as `…/main.js`. */
export function withoutFolders(text: string): string {
  return text.replace(ofUrls, '…/').replace(ofDrives, '…\\').replace(ofRoots, '…/');
}
