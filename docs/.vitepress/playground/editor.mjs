// @ts-check
// The editor, loaded when a reader first uses it.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours of the pages' own code, in light and in dark: style.css has the variables. */
const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operator], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.propertyName], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
]);

/**
 * @typedef {object} EditorOptions
 * @property {string} code
 * @property {() => string} [before] returns the program that `code` continues
 * @property {string} label
 * @property {string} describedBy the id of the text about the keys
 * @property {() => void} onRun
 * @property {(code: string) => void} onChange
 *
 * @param {Element} parent
 * @param {EditorOptions} options
 */
export function openEditor(parent, { code, before = () => '', label, describedBy, onRun, onChange }) {
  const runs = {
    key: 'Mod-Enter',
    run: () => {
      onRun();
      return true;
    },
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: code,
      extensions: [
        history(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        javascript({ typescript: true }),
        syntaxHighlighting(colors),
        autocompletion({ override: [async (context) => (await import('./complete.mjs')).complete(context, before)] }),
        // After Esc, CodeMirror lets the next Tab leave the editor.
        keymap.of([runs, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    close: () => view.destroy(),
    setCode: (/** @type {string} */ text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
  };
}
