/**
 * Makes wide tables of the guides scroll for the keyboard too: what scrolls must take the focus.
 * @returns a rehype plugin
 */
export function focusableTables() {
  return (tree) => visit(tree);
}

function visit(node) {
  if (node.tagName === 'table') node.properties = { ...node.properties, tabIndex: 0 };
  for (const child of node.children ?? []) visit(child);
}
