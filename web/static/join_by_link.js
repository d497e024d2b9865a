// Joining by a link: the key is in the fragment, behind the #, which the server never gets.

import { element } from "./page_data.js";

const joinByLink = () => {
  const key = location.hash.slice(1);
  const form = element("join");
  const table = location.pathname.match(/^\/[gt]\/[A-Za-z0-9_-]{22}/); // or a group
  if (!table || !/^[A-Za-z0-9_-]{16,64}$/.test(key)) return;
  if (!form) return location.replace(`${table[0]}/join#${key}`);
  history.replaceState(null, "", location.pathname);
  form.elements.key.value = key;
  form.elements.by.value = "link";
  form.submit();
};
addEventListener("hashchange", joinByLink); // a link pasted into an open page of its table
joinByLink();
