/** What a person wants others to be told. Who does not tell it does not see it. */
export interface ReceiptSettings {
  /** That a message came. */
  delivered: boolean;
  /** That it was read. */
  read: boolean;
}

export const defaultReceiptSettings: Readonly<ReceiptSettings> = { delivered: true, read: false };
