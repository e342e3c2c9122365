/**
 * A person or program with an address, a device and seal keys, all in memory: as much of a client as the
 * specification's flow needs.
 */

import { RelayClient } from '../../client/client.ts';
import { RelayHttp } from '../../client/http.ts';
import { WalletSession } from '../../client/session.ts';
import type { PrivateKey } from '../../protocol/crypto/backend.ts';
import { native } from '../../protocol/crypto/native.ts';
import {
  type DeviceList,
  deviceIdOf,
  deviceListHash,
  findDeviceListProblem,
  signDeviceList,
} from '../../protocol/device-list.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { openCopy, sealCopy } from '../../protocol/envelope.ts';
import { decodePayload, encodePayload, TextContent } from '../../protocol/payload.ts';
import type { AddressKeys } from '../../protocol/schemas/directory.ts';
import type { Envelope } from '../../protocol/schemas/envelopes.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import { findSealKeyProblem, MAX_SEAL_KEY_LIFE, signSealKey } from '../../protocol/seal-key.ts';
import { generatePhrase, type Wallet, walletFromPhrase } from '../../protocol/wallet.ts';

export interface OpenedMessage {
  text: string;
  /** Whether a device that the sender's wallet certified has signed it. */
  signed: boolean;
}

export class Participant {
  readonly address: string;
  readonly deviceId: string;
  /** Calls of the account itself, with a session from the wallet's login. */
  readonly account: RelayClient;
  readonly #wallet: Wallet;
  readonly #deviceKey: PrivateKey;
  readonly #sealKey: PrivateKey;
  #list: DeviceList | null = null;
  #seq = 0;

  constructor(relayUrl: string) {
    this.#wallet = walletFromPhrase(generatePhrase());
    this.#deviceKey = native.importEd25519(native.randomBytes(32));
    this.#sealKey = native.importX25519(native.randomBytes(32));
    this.address = this.#wallet.address;
    this.deviceId = encodeBase64Url(deviceIdOf(native, this.#deviceKey.publicKey));
    const http = new RelayHttp(relayUrl);
    const device = { deviceId: this.deviceId, deviceKey: this.#deviceKey };
    this.account = new RelayClient(http, new WalletSession(http, this.#wallet, device));
  }

  /** Certifies this device with the wallet and publishes its seal key; a second time, with other permissions. */
  async publishDevice(unsigned: DeviceList['unsigned'] = []): Promise<void> {
    const now = Date.now();
    const before = this.#list;
    this.#list = signDeviceList(this.#wallet, {
      sequence: (before?.sequence ?? 0) + 1,
      previous: before ? deviceListHash(native, this.address, before) : null,
      issued: encodeTime(now),
      unsigned,
      devices: [
        {
          deviceId: this.deviceId,
          key: encodeBase64Url(this.#deviceKey.publicKey),
          type: 'app',
          validUntil: encodeTime(now + MAX_SEAL_KEY_LIFE),
        },
      ],
    });
    const times = { notBefore: now, notAfter: now + MAX_SEAL_KEY_LIFE };
    const sealKey = signSealKey(native, this.address, this.#deviceKey, this.#sealKey.publicKey, 1, times);
    await this.account.putDevices(this.#list, before ? [] : [sealKey]);
  }

  /**
   * Seals a text once for each device of a recipient whose keys prove themselves.
   * @throws Error if the relay's answer about the recipient does not prove itself
   */
  seal(text: string, to: AddressKeys, asRequest: boolean): Envelope[] {
    const now = Date.now();
    const problem = findDeviceListProblem(native, to.address, to.deviceList, now);
    if (problem !== null) throw new Error(`the recipient's keys do not prove themselves: ${problem}`);
    const payload = encodePayload(
      native,
      {
        channel: 'direct',
        body: {
          id: encodeBase64Url(native.randomBytes(16)),
          sender: this.address,
          sentAt: encodeTime(now),
          seq: ++this.#seq,
          kind: 'text',
          peer: to.address,
          text,
        },
      },
      { deviceKey: this.#deviceKey },
    );
    return to.sealKeys.flatMap((sealKey) => {
      const device = to.deviceList.devices.find(({ deviceId }) => deviceId === sealKey.deviceId);
      if (!device || findSealKeyProblem(native, to.address, device, sealKey, now) !== null) return [];
      const copy = sealCopy(
        native,
        { from: this.address, to: to.address },
        decodeBase64Url(sealKey.key),
        {
          asRequest,
          automated: false,
          senderListSequence: this.#list?.sequence ?? 0,
          recipientListSequence: to.deviceList.sequence,
        },
        payload,
      );
      return [
        {
          toAddress: to.address,
          recipientDeviceKey: sealKey.key,
          ciphertext: encodeBase64Url(copy.ciphertext),
          ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
          nonce: encodeBase64Url(copy.nonce),
          asRequest,
        },
      ];
    });
  }

  /**
   * Opens an envelope from the inbox.
   * @param sender the keys of `envelope.from`, to check the signature
   * @throws OpenError, PayloadError
   */
  open(envelope: InboxEnvelope, sender: AddressKeys): OpenedMessage {
    const { payload } = openCopy(
      native,
      { from: envelope.from, to: this.address },
      this.#sealKey,
      {
        ciphertext: decodeBase64Url(envelope.ciphertext),
        ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
        nonce: decodeBase64Url(envelope.nonce),
      },
      envelope.asRequest ?? false,
    );
    const message = decodePayload(native, payload);
    const device = sender.deviceList.devices.find(({ deviceId }) => deviceId === message.deviceId);
    const certified = findDeviceListProblem(native, envelope.from, sender.deviceList, Date.now()) === null;
    return {
      text: TextContent.parse(message.body).text,
      signed: certified && device !== undefined && message.isSignedBy(decodeBase64Url(device.key)),
    };
  }
}
