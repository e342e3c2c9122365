/** The parts of a link for checking before it is opened. */

export interface LinkParts {
  isMail: boolean;
  /** These three form the whole address. */
  before: string;
  /** The part that decides on its destination: the host with its port, in ASCII, or the recipients. */
  name: string;
  after: string;
  /** True if the host has letters outside of ASCII, which can look like those of another host. */
  isDisguisable: boolean;
  /** True if a mail would go to more recipients than the name shows. */
  namesOthers: boolean;
}

/** @param href as the URL parser writes it: https, or mailto with a recipient */
export function linkParts(href: string): LinkParts {
  const { protocol, host, hostname, pathname, searchParams } = new URL(href);
  const isMail = protocol === 'mailto:';
  const before = isMail ? protocol : `${protocol}//`;
  const end = before.length + (isMail ? pathname : host).length;
  const name = href.slice(before.length, end);
  const headers = [...searchParams.keys()].map((key) => key.toLowerCase());
  return {
    isMail,
    before,
    name,
    after: href.slice(end),
    isDisguisable: isMail
      ? /xn--/i.test(name)
      : hostname.split('.').some((label) => label.startsWith('xn--')),
    namesOthers: isMail && headers.some((header) => ['to', 'cc', 'bcc'].includes(header)),
  };
}
