/** The page's only script: a button that copies a block of code. Without scripts only this button is missing. */
export const SCRIPT = `
for (const figure of document.querySelectorAll('.code')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy: ' + figure.querySelector('figcaption').textContent);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  figure.append(button);
}
`;
