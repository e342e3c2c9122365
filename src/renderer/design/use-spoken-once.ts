import { useEffect, useLayoutEffect, useState } from 'react';

/** Time after which a screen reader has left the field, in milliseconds. */
const LEFT_AFTER = 500;

interface Spoken {
  /** True for the first text, which is read with the field and not announced. */
  isFirst: boolean;
  /** False while the announced text must not be the description of its field, too. */
  isDescription: boolean;
}

/**
 * For the description of a field in a live region. Screen readers speak a new description of the focused field, and also the live
 * region: until the person has left the field, a new text is only announced.
 * @param id of the description
 */
export function useSpokenOnce(id: string, text: unknown): Spoken {
  const [first] = useState(text);
  const [described, setDescribed] = useState(text);
  const [isQuiet, setQuiet] = useState(false);
  useLayoutEffect(() => {
    if (text === described) return;
    setDescribed(text);
    if (isFieldOf(document.activeElement, id)) setQuiet(true);
  }, [text, described, id]);
  useEffect(() => {
    if (!isQuiet) return;
    let timer: ReturnType<typeof setTimeout>;
    const leave = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isFieldOf(document.activeElement, id)) setQuiet(false);
      }, LEFT_AFTER);
    };
    document.addEventListener('focusout', leave);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusout', leave);
    };
  }, [isQuiet, id]);
  return { isFirst: text === first, isDescription: !isQuiet };
}

function isFieldOf(element: Element | null, id: string): boolean {
  return element?.getAttribute('aria-describedby')?.split(' ').includes(id) ?? false;
}
