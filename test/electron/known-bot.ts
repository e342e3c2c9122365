import { expect } from '@playwright/test';
import { type Bot, newBot, waitingTexts } from '../support/bots.ts';
import type { RunningApp } from './support.ts';

/** A bot that the person has written to: its messages are not requests. */
export async function knownBot(app: RunningApp, relayUrl: string): Promise<Bot> {
  const bot = await newBot({ url: relayUrl }, { handle: 'ben' });
  const { address } = await app.call('people.resolve', { query: '@ben' });
  const { id } = await app.call('conversations.open', { address });
  await app.call('messages.send', { conversationId: id, text: 'Hello Ben' });
  await expect.poll(() => waitingTexts(bot)).toEqual(['Hello Ben']);
  return bot;
}
