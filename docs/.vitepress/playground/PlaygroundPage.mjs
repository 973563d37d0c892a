// @ts-check
// The page of the playground: an editor for a program of one's own, a choice of examples, and a link that holds the program.
import { defineComponent, h, onMounted, onUnmounted, ref, shallowRef } from 'vue';
import { fragmentOf, programIn } from './link.mjs';
import { useProgram } from './use-program.mjs';

const first = `import { createDevice } from 'node-directml';
import { elementWiseAdd as add } from 'node-directml/operators';

const device = await createDevice();
const x = device.tensor([[1, 2, 3], [4, 5, 6]]);
console.log(await (await add(x, 10)).toArray());
device.dispose();
`;

const keys = 'keys-of-playground';

export const PlaygroundPage = defineComponent({
  name: 'PlaygroundPage',
  setup() {
    const place = ref(/** @type {HTMLElement | null} */ (null));
    const examples = shallowRef(/** @type {readonly import('./programs.mjs').Example[]} */ ([]));
    const copied = ref('');
    let code = first;
    /** @type {ReturnType<typeof import('./editor.mjs').openEditor> | null} */
    let editor = null;

    const { start, runButton, output } = useProgram(() => ({ code }));
    const readAddress = async () => {
      const program = await programIn(location.hash);
      if (program === null || program === code) return;
      code = program;
      editor?.setCode(program);
    };
    const choose = (/** @type {Event} */ { target }) => {
      const index = target instanceof HTMLSelectElement ? Number(target.value) : -1;
      editor?.setCode(examples.value[index]?.code ?? first);
    };
    const copyLink = async () => {
      history.replaceState(history.state, '', await fragmentOf(code));
      await navigator.clipboard?.writeText(location.href).catch(() => {});
      copied.value = 'The link is in the address bar and in the clipboard.';
    };

    onMounted(async () => {
      addEventListener('hashchange', readAddress);
      const [{ openEditor }, loaded] = await Promise.all([import('./editor.mjs'), import('./examples.data.mjs'), readAddress()]);
      examples.value = loaded.data;
      if (place.value === null) return;
      const onChange = (/** @type {string} */ text) => {
        code = text;
        copied.value = '';
      };
      editor = openEditor(place.value, { code, label: 'Program', describedBy: keys, onRun: start, onChange });
    });
    onUnmounted(() => {
      removeEventListener('hashchange', readAddress);
      editor?.close();
    });

    return () =>
      h('div', { class: 'runnable playground' }, [
        h('label', ['Example ', selection(examples.value, choose)]),
        h('div', { ref: place, class: 'editor' }),
        h('div', { class: 'buttons' }, [
          runButton(),
          h('button', { type: 'button', onClick: copyLink }, 'Copy a link to this program'),
          h('small', { id: keys }, 'Ctrl+Enter runs. Esc, then Tab leaves the editor.'),
        ]),
        h('p', { role: 'status' }, copied.value),
        output(),
      ]);
  },
});

/**
 * @param {readonly import('./programs.mjs').Example[]} examples
 * @param {(event: Event) => void} onChange
 */
function selection(examples, onChange) {
  const groups = [...new Set(examples.map(({ group }) => group))].map((label) => {
    const options = examples.flatMap(({ group, name }, i) => (group === label ? h('option', { value: i }, name) : []));
    return h('optgroup', { label }, options);
  });
  return h('select', { onChange }, [h('option', { value: -1 }, 'A sum'), ...groups]);
}
