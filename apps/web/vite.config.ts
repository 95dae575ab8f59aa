import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

/** Compiles the texts of a catalogue while building, so that the browser needs no message parser. */
function compiledCatalogues(): Plugin {
  return {
    name: 'compiled-catalogues',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/i18n\/.*\.json$/.test(id)) return null;
      const texts = JSON.parse(code) as Record<string, string>;
      const compiled = Object.entries(texts).map(([key, text]) => [key, compileMessage(text)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}

/**
 * sonner puts its style sheet into the page by script, which a strict `style-src 'self'` forbids.
 * Its own `styles.css` is imported instead (ui/toasts/Toaster.tsx).
 */
function toastsWithoutInjectedStyle(): Plugin {
  return {
    name: 'toasts-without-injected-style',
    transform(code, id) {
      if (!/sonner\/dist\/index\.mjs$/.test(id)) return null;
      return { code: code.replace(/^__insertCSS\(".*"\);?$/m, ''), map: null };
    },
  };
}

// Development only: where `npm run dev` serves the hub.
const server = loadEnv('', '.', 'SERVER_').SERVER_URL ?? 'http://127.0.0.1:8080';
const proxied = ['/api', '/boot.json', '/md', '/dev/outbox.json', '/healthz'];

/** Development only: what the hub does with addresses of the back office. */
function adminPages(): Plugin {
  return {
    name: 'admin-pages',
    configureServer(dev) {
      dev.middlewares.use((request, _response, next) => {
        if (/^\/admin(\/[a-z]*)?$/.test(request.url ?? '')) request.url = '/admin.html';
        next();
      });
    },
  };
}

// `--mode admin` builds the back office: a bundle of its own, so that the members' has nothing of it.
export default defineConfig(({ mode }) => ({
  ...(mode === 'admin' ? { base: '/admin/', publicDir: false as const } : {}),
  plugins: [adminPages(), compiledCatalogues(), toastsWithoutInjectedStyle(), tailwindcss(), react()],
  optimizeDeps: { exclude: ['sonner'] },
  server: {
    host: '127.0.0.1',
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [path, { target: server }])),
      '/live': { target: server, ws: true },
    },
  },
  build: {
    target: 'es2023',
    sourcemap: false,
    manifest: true,
    // Nothing becomes a data: URL, so that the content policy can name files only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Our packages do nothing when imported, so that each venue's decoder can be a chunk of its own.
    rolldownOptions: {
      ...(mode === 'admin' ? { input: 'admin.html' } : {}),
      // What every page begins with is one file: the entry and all it imports. As 25 small ones it weighs 7 kB more.
      output: {
        codeSplitting: { groups: [{ name: 'frame', test: /src[\\/](admin[\\/])?main\.tsx$/ }] },
      },
      treeshake: {
        moduleSideEffects: [
          { test: /[\\/]packages[\\/](contract|domain|venues)[\\/]src[\\/]/, sideEffects: false },
        ],
      },
    },
  },
}));
