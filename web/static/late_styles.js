// Styles that the first view of a page does not need. With large text, the outcome of a verdict shows all its words and
// covers nothing.

const late = new CSSStyleSheet();
late.replaceSync(`.panel, .question { position: relative; }
  @media (max-width: 16rem) { .verdict ~ .actions { position: static; } }`);
document.adoptedStyleSheets.push(late);
