// Styles that the first view of a page needs none of. With large text, what a verdict comes to has all its words, and covers
// nothing.

const late = new CSSStyleSheet();
late.replaceSync(`.panel, .question { position: relative; }
  @media (max-width: 16rem) { .verdict ~ .actions { position: static; } }`);
document.adoptedStyleSheets.push(late);
