import '../page/address.ts';

// The interface reads its language when it is loaded: not before the address has set it.
void import('./gallery.tsx');
