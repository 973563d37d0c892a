/** What the tests of improved graphs read in a picture. */

/** The operators of a picture, sorted. */
export function nodesOf(picture: string): string {
  const names = Array.from(picture.matchAll(/^ +node\d+\["?([^\]"]*)/gm), ([, title = '']) => title.split(': ').at(-1) ?? '');
  return names
    .map((name) => name.replace(/_\d+$/, ''))
    .sort()
    .join(' ');
}
