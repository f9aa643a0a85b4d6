// Making elements. Texts become text nodes: nothing that comes from elsewhere is read as HTML.

export const $ = (selector, within = document) => within.querySelector(selector);

// h('p', {class: 'soft', onclick: f}, 'text', element, …). Properties: attributes, on… listeners,
// `vars` for CSS variables. null and false leave an attribute or a child out, true sets it.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'vars') {
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}

export const button = (text, onclick, properties = {}) =>
  h('button', {type: 'button', onclick, ...properties}, text);

// Said by screen readers. The same words twice are said twice.
export function announce(text) {
  const status = $('#status');
  status.textContent = '';
  setTimeout(() => { status.textContent = text; }, 50);
}

export function showProblem(error) {
  if (error?.name === 'AbortError' || error?.cancelled) return;
  const box = $('#problem');
  $('p', box).textContent = error?.message ?? String(error);
  box.hidden = false;
  if (box.getBoundingClientRect().top < 0) box.scrollIntoView({block: 'start'});
}

export function clearProblem() { $('#problem').hidden = true; }

// A listener whose failures people see, and which does not run twice at a time.
export function guarded(action) {
  let running = false;
  return async (event) => {
    event?.preventDefault?.();
    if (running) return;
    running = true;
    clearProblem();
    try {
      await action(event);
    } catch (error) {
      showProblem(error);
    } finally {
      running = false;
    }
  };
}

// A screen's keyboard covers half of it: it must not come uninvited.
export const touch = () => matchMedia('(hover: none) and (pointer: coarse)').matches;

// A textarea as high as its text.
export function grow(area) {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
}

export const number = (value, digits = 2) =>
  value === null || value === undefined ? '–' : value.toFixed(digits);

export const plural = (count, one, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
