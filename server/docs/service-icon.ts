/** A ship at its berth: readable at 16 pixels, on light and dark alike. */
export const SERVICE_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="7" fill="#0f5c63"/>' +
  '<path d="M8 6v20" stroke="#8fd6cf" stroke-width="3" stroke-linecap="round"/>' +
  '<path d="M13 17h13l-3.2 7.2a2 2 0 0 1-1.8 1.2H15a2 2 0 0 1-2-2z" fill="#fff"/>' +
  '<path d="M18 7v10M18 8l6 6h-6" fill="#8fd6cf" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/>' +
  '</svg>';
