import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { iconImports, nameChunk, withoutCircles } from './chunks.ts'
import { pages } from './prerender/plugin.ts'
import { icons } from './icons.ts'
import { serviceWorker } from './offline/plugin.ts'
import { sitePages } from './site-page/build.ts'

export default defineConfig({
  root: import.meta.dirname,
  // The server prepends the base path of the installation to the assets when it serves the page.
  base: './',
  plugins: [
    iconImports(),
    withoutCircles(),
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }), enforce: 'pre' },
    pages(),
    icons(),
    serviceWorker(),
    // After the list of files that are cached offline, which excludes these.
    sitePages(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // The content security policy allows no data: URLs for fonts and scripts; files can be cached as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The shortest possible hashes, because hashes do not compress and the first script names most files.
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
