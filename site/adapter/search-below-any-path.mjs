/** The script of Starlight's search, as Vite names it. */
const SEARCH = /[/\\]starlight[/\\]components[/\\]Search\.astro\?astro&type=script/;
const BASE = 'import.meta.env.BASE_URL';

/**
 * Lets the search of the guides find its index from where its own script lies, and not from the path of the build: an
 * exported site is below a path nobody knew when it was built.
 * @returns {import('vite').Plugin}
 */
export function searchBelowAnyPath() {
  return {
    name: 'search-below-any-path',
    enforce: 'pre',
    transform(code, id) {
      if (!SEARCH.test(id)) return undefined;
      if (!code.includes(BASE))
        throw new Error('the search of Starlight does not ask for the base path any more');
      // The folder above `_astro/`. In a variable, as Vite takes the literal for a file of its own.
      const folder = "const above = '../';\nconst siteRoot = new URL(above, import.meta.url).pathname;\n";
      return { code: folder + code.replaceAll(BASE, 'siteRoot'), map: null };
    },
  };
}
