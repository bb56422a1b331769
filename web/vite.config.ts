import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { iconImports, nameChunk, withoutCircles, withoutFileNames } from './chunks.ts'
import { pages } from './early/plugin.ts'
import { icons } from './icons.ts'
import { serviceWorker } from './offline/plugin.ts'
import { sitePages } from './site-page/build.ts'

export default defineConfig({
  root: import.meta.dirname,
  // The server puts the base path of the installation in front of the assets when it serves the page.
  base: './',
  plugins: [
    iconImports(),
    withoutFileNames(),
    withoutCircles(),
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }), enforce: 'pre' },
    pages(),
    icons(),
    serviceWorker(),
    // After the list of files that are kept offline: these are not among them.
    sitePages(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // The policy allows no data: URLs for fonts and scripts; a file is cached as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Hashes cannot be compressed, and the first script names most files: these are the shortest ones possible.
        hashCharacters: 'hex',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [{ name: nameChunk(), includeDependenciesRecursively: false }],
        },
      },
    },
  },
  worker: { format: 'es' },
})
