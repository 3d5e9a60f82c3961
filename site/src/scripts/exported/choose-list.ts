/** Lets the form lead to the list of the registry that is chosen in it. */
function chooseList(form: HTMLFormElement): void {
  form.hidden = false;
  form.querySelector('select')?.addEventListener('change', ({ currentTarget }) => {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const href = currentTarget.selectedOptions[0]?.dataset.listHref;
    if (href !== undefined) form.action = href;
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-choose-list]')) chooseList(form);
