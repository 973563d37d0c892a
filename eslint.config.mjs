// The ESLint rules of `npm run lint`. TypeScript files get the strict rules that use types. .mjs and .js files get rules
// without types, because tsc checks those (tsconfig.scripts.json). Prettier alone decides about the layout.
import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { isInstalled } from './scripts/shared/packages.mjs';

/** Ignored files: their types are in packages that only `npm run test:all` installs. */
const withoutTypes = isInstalled('test/external') ? [] : ['test/external/**/*.ts'];

export default defineConfig(
  {
    ignores: [
      ...['dist/', 'dist.new.*/', 'build/', 'docs/.vitepress/.temp/', 'prebuilds/', '**/generated/', 'binding.d.ts'],
      ...withoutTypes,
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      // tsc checks this, and knows Node.js's globals.
      'no-undef': 'off',
      'no-unused-vars': 'off',
      // Prettier does not break comments.
      'max-len': ['error', { code: Infinity, comments: 132, ignoreUrls: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.ts', '**/*.mts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './test/tsconfig.json', './test/external/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Allows `() => device.dispose()`.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // `fields['name']` is how the code reads a property of an index signature.
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // Inner loops of kernels use an index.
      '@typescript-eslint/prefer-for-of': 'off',
    },
  },
  {
    // Tests pass values on purpose that the types forbid.
    files: ['checks/**/*.ts', 'test/**/*.ts', 'test/**/*.mts'],
    rules: {
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-sparse-arrays': 'off',
    },
  },
);
