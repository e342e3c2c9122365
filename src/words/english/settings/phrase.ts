/** Texts about the recovery phrase and the private key. */
export const phrase = {
  phrase: 'Recovery phrase',
  findPhrase: 'backup, 12 words, seed, private key, remove from this computer',
  phraseText: 'Available only in the desktop app',
  phraseShow: 'Show recovery phrase',
  phraseWarning: 'Anyone who sees these words can use your account.',
  phraseCopy: 'Copy recovery phrase',
  phraseHidden: 'It’s hidden again after a minute.',
  phraseHide: 'Hide',
  phraseElsewhere:
    'Your recovery phrase isn’t kept on this computer. You need it here only to add, renew or remove devices, or to change API access.',
  phraseOnce: 'It’s used once and not kept here.',
  forgetText:
    'Waxwing continues to work here. To add, renew or remove devices, you then enter your recovery phrase.',
  forgetWarning:
    'If no other computer keeps it, your notes are the only copy. If you lose them, no one can recover your account.',
  forgetHint: 'Enter it once more, to be sure that you have it.',
  forgetAction: 'Remove recovery phrase',
  privateKey: 'Private key',
  privateKeyCopy: 'Copy private key',
} as const;
