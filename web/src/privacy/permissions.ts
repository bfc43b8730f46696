// The Permissions-Policy of the page, which only a header can set: hosts send it, and the service worker adds it to what it keeps.

/**
 * What a page could send by itself although its Content-Security-Policy allows no connection, and the devices that it could
 * read. In Chromium, a call of navigator.credentials with the name of a foreign host requests /.well-known/webauthn from it,
 * without asking the user; the built-in language models are downloaded by name.
 */
const features = [
  'camera',
  'microphone',
  'geolocation',
  'usb',
  'serial',
  'hid',
  'midi',
  'display-capture',
  'encrypted-media',
  'payment',
  'publickey-credentials-get',
  'publickey-credentials-create',
  'identity-credentials-get',
  'digital-credentials-get',
  'digital-credentials-create',
  'otp-credentials',
  'private-state-token-issuance',
  'private-state-token-redemption',
  'language-model',
  'language-detector',
  'summarizer',
  'translator',
];

/** No document gets any of them. */
export const PERMISSIONS = features.map(name => `${name}=()`).join(', ');
