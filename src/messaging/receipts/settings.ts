/** Receipt settings of a person. Without sending a kind of receipt they do not see that of others. */
export interface ReceiptSettings {
  /** Receipts for delivered messages. */
  delivered: boolean;
  /** Receipts for read messages. */
  read: boolean;
}

export const defaultReceiptSettings: Readonly<ReceiptSettings> = { delivered: true, read: false };
