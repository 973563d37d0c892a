// @ts-check
// A block of a page that can be run and edited. Until then it is the block itself, with buttons below.
import { withBase } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, onUnmounted, ref } from 'vue';
import { fragmentOf } from './link.mjs';
import { useProgram } from './use-program.mjs';

/** What each block of the page has now. */
const codes = /** @type {WeakMap<Element, () => string>} */ (new WeakMap());
let count = 0;

export const RunnableBlock = defineComponent({
  name: 'RunnableBlock',
  props: { program: { type: Number, required: true } },
  setup(props, { slots }) {
    const keys = `keys-of-block-${(count += 1)}`;
    const block = ref(/** @type {HTMLElement | null} */ (null));
    const place = ref(/** @type {HTMLElement | null} */ (null));
    const address = ref(withBase('/playground'));
    const isEdited = ref(false);
    let code = '';
    /** @type {ReturnType<typeof import('./editor.mjs').openEditor> | null} */
    let editor = null;

    const programOf = () => ({ code, before: codeBefore(block.value, props.program) });
    const { start, runButton, output } = useProgram(programOf);
    const setAddress = async () => {
      const { code: own, before } = programOf();
      address.value = withBase(`/playground${await fragmentOf(before + own)}`);
    };
    const edit = async () => {
      const { openEditor } = await import('./editor.mjs');
      isEdited.value = true;
      await nextTick();
      if (place.value === null || editor !== null) return;
      const onChange = (/** @type {string} */ text) => void (code = text);
      const before = () => programOf().before;
      editor = openEditor(place.value, { code, before, label: 'Program', describedBy: keys, onRun: start, onChange });
      editor.focus();
    };

    onMounted(() => {
      if (block.value === null) return;
      code = textOf(block.value);
      codes.set(block.value, () => code);
      void setAddress();
    });
    onUnmounted(() => editor?.close());

    return () =>
      h('div', { ref: block, class: 'runnable', 'data-program': props.program }, [
        h('div', { class: 'static', hidden: isEdited.value }, slots['default']?.()),
        isEdited.value ? h('div', { ref: place, class: 'editor' }) : null,
        h('div', { class: 'buttons' }, [
          runButton(),
          isEdited.value
            ? h('small', { id: keys }, 'Ctrl+Enter runs. Esc, then Tab leaves the editor.')
            : h('button', { type: 'button', onClick: edit }, 'Edit'),
          // An edited program is in the address as soon as the reader reaches for the link.
          h('a', { href: address.value, onPointerenter: setAddress, onFocus: setAddress }, 'Open in the playground'),
        ]),
        output(),
      ]);
  },
});

function textOf(/** @type {Element} */ block) {
  const code = block.querySelector('pre code')?.textContent ?? '';
  return code.endsWith('\n') ? code : `${code}\n`;
}

/** The blocks above that the same program begins with. */
function codeBefore(/** @type {Element | null} */ block, /** @type {number} */ program) {
  const all = [...document.querySelectorAll(`.runnable[data-program="${program}"]`)];
  const above = all.slice(0, block === null ? 0 : all.indexOf(block));
  return above.map((one) => codes.get(one)?.() ?? '').join('');
}
