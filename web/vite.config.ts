import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { nameChunk } from './chunks.ts'
import { serviceWorker } from './offline/plugin.ts'

/** The icons that guests see, too. */
const GUEST_ICONS =
  /\/lucide-react\/dist\/esm\/icons\/(circle-check|info|shield-check|triangle-exclamation-point|zap)\./

export default defineConfig({
  root: import.meta.dirname,
  // The server puts the base path of the installation in front of the assets when it serves the page.
  base: './',
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }), enforce: 'pre' },
    serviceWorker(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2024',
    // The policy allows no data: URLs for fonts and scripts; a file is cached as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every visit needs is one file: many small ones are compressed badly, and asked for one by one.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              tags: ['$initial'],
              test: /(?<!main\.tsx|\.html)$/,
              priority: 1,
            },
            { name: nameChunk(), includeDependenciesRecursively: false },
            { name: 'signs', test: GUEST_ICONS, priority: 1 },
            { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\// },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
})
