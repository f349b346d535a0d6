/* What is built from nodes, so that no text becomes markup; it stands before the scripts that use it. */
const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  });
  node.append(...children.filter((child) => child !== null));
  return node;
};
