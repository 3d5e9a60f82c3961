/** A boat beside its quay: readable at 16 pixels, on light and dark alike. */
export const SERVICE_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="7" fill="#0f5c63"/>' +
  '<path d="M6 12v14" stroke="#8fd6cf" stroke-width="3.4" stroke-linecap="round"/>' +
  '<path d="M10.5 19.5h17l-2.6 6.1a3 3 0 0 1-2.8 1.9h-7.6a3 3 0 0 1-2.8-1.9z" fill="#fff"/>' +
  '<path d="M18 4.5v12.5h-6.2z" fill="#8fd6cf"/><path d="M20 7v10h6.2z" fill="#fff"/>' +
  '</svg>';
