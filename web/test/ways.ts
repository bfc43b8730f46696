// Every way out of a page and a worker that the platform has. Each is sent to a browser as text, gets an address, and is tried.

export type Way = (url: string) => unknown;
export type Ways = Readonly<Record<string, Way>>;

/** Of the page and of the worker. */
export const stopped: Ways = {
  fetch: url => fetch(url).catch(() => {}),
  'fetch, kept alive': url => fetch(url, {method: 'POST', mode: 'no-cors', keepalive: true, body: 'x'}).catch(() => {}),
  XMLHttpRequest: url => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.send('x');
  },
  WebSocket: url => new WebSocket(url.replace('http', 'ws')),
  EventSource: url => new EventSource(url),
  'cache.add': async url => (await caches.open('way')).add(url),
  WebSocketStream: url => Reflect.construct(Reflect.get(globalThis, 'WebSocketStream'), [url.replace('http', 'ws')]),
  WebTransport: url => Reflect.construct(Reflect.get(globalThis, 'WebTransport'), [url.replace('http:', 'https:')]),
};

export const stoppedInPage: Ways = {
  sendBeacon: url => navigator.sendBeacon(url, 'x'),
  image: url => {
    new Image().src = url;
  },
  font: url => void new FontFace('f', `url(${url})`).load().catch(() => {}),
  'a style with url()': url => {
    document.body.style.backgroundImage = `url(${url})`;
  },
  'a style sheet': url => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body { background-image: url(${url}); cursor: url(${url}), auto }`);
    document.adoptedStyleSheets = [sheet];
  },
  'a link that pings': url => {
    const link = document.createElement('a');
    link.href = '#main';
    link.ping = url;
    document.body.append(link);
    link.click();
  },
  prefetch: url => {
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.href = url;
    document.head.append(link);
  },
  icon: url => {
    const link = document.createElement('link');
    link.rel = 'icon';
    link.href = url;
    document.head.append(link);
  },
  'speculation rules': url => {
    const script = document.createElement('script');
    script.type = 'speculationrules';
    script.textContent = JSON.stringify({prefetch: [{source: 'list', urls: [url]}]});
    document.head.append(script);
  },
  video: url => {
    document.createElement('video').src = url;
  },
  'a service worker': url => navigator.serviceWorker.register(url).catch(() => {}),
  fetchLater: url => Reflect.get(globalThis, 'fetchLater')(url.replace('http:', 'https:'), {activateAfter: 0}),
  'a background fetch': async url => {
    const registration = await navigator.serviceWorker.getRegistration();
    return Reflect.get(registration ?? {}, 'backgroundFetch').fetch('way', [url]);
  },
  'FedCM, which signs in': url => {
    const provider = {configURL: url.replace('http:', 'https:'), clientId: 'way'};
    return Reflect.apply(navigator.credentials.get, navigator.credentials, [{identity: {providers: [provider]}}]);
  },
  'FedCM, which disconnects': url => {
    const request = {configURL: url.replace('http:', 'https:'), clientId: 'way', accountHint: 'way'};
    return Reflect.get(Reflect.get(globalThis, 'IdentityCredential'), 'disconnect')(request);
  },
  'an auction of advertisements': async url => {
    const owner = new URL(url.replace('http:', 'https:'));
    const group = {
      owner: owner.origin,
      name: 'way',
      biddingLogicURL: owner.href,
      updateURL: owner.href,
      lifetimeMs: 1e6,
    };
    await Reflect.get(navigator, 'joinAdInterestGroup').call(navigator, group);
    const auction = {seller: owner.origin, decisionLogicURL: owner.href, interestGroupBuyers: [owner.origin]};
    await Reflect.get(navigator, 'runAdAuction').call(navigator, auction);
  },
  'a worklet of shared storage': url => Reflect.get(globalThis, 'sharedStorage').createWorklet(url),
  attributionsrc: url => {
    for (const name of ['img', 'script', 'a']) {
      const element = document.createElement(name);
      element.setAttribute('attributionsrc', url);
      document.body.append(element);
      if (name === 'a') element.click();
    }
  },
  'the manifest of a payment method': url => {
    const total = {label: 'way', amount: {currency: 'EUR', value: '1'}};
    return new PaymentRequest([{supportedMethods: url.replace('http:', 'https:')}], {total}).canMakePayment();
  },
  'remote playback': url => {
    const video = document.createElement('video');
    video.src = url;
    return Reflect.get(video, 'remote').watchAvailability(() => {});
  },
  'a paint worklet': url => Reflect.get(CSS, 'paintWorklet').addModule(url),
  'an audio worklet': url => new AudioContext().audioWorklet.addModule(url),
  'a style sheet of XML': url => {
    document.insertBefore(
      document.createProcessingInstruction('xml-stylesheet', `href="${url}" type="text/css"`),
      document.documentElement,
    );
  },
  'an SVG image': url => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const image = document.createElementNS(svg.namespaceURI, 'image');
    image.setAttribute('href', url);
    svg.append(image);
    document.body.append(svg);
  },
  'an SVG filter': url => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const filter = document.createElementNS(svg.namespaceURI, 'filter');
    const image = document.createElementNS(svg.namespaceURI, 'feImage');
    filter.id = 'way';
    image.setAttribute('href', url);
    filter.append(image);
    svg.append(filter);
    document.body.append(svg);
    document.body.style.filter = 'url(#way)';
  },
  'image-set and srcset': url => {
    const image = new Image();
    image.srcset = `${url} 2x`;
    document.body.style.listStyleImage = `image-set(url(${url}) 1x)`;
    document.body.append(image, document.createElement('li'));
  },
  'a poster': url => {
    const video = document.createElement('video');
    video.poster = url;
    document.body.append(video);
  },
  'an image button': url => {
    const input = document.createElement('input');
    input.type = 'image';
    input.src = url;
    document.body.append(input);
  },
  'an empty frame': url => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const image = frame.contentDocument?.createElement('img') as HTMLImageElement;
    image.src = url;
    return (frame.contentWindow as unknown as typeof globalThis).fetch(url, {mode: 'no-cors'});
  },
  'an empty window': url => (window.open('') as unknown as typeof globalThis).fetch(url, {mode: 'no-cors'}),
};

/** What a PresentationRequest of Chromium has; TypeScript's DOM has none. */
type PresentationOf = Readonly<Record<'getAvailability' | 'start', () => Promise<unknown>>>;

/**
 * Of Chromium's page: what shows an image or a page by itself. Chromium 156 without a window has no navigator.install, no
 * document.requestStorageAccessFor and no ContentIndex, and its navigator.login.setStatus takes no address.
 */
export const stoppedInChromium: Ways = {
  // Needs the permission, which the test gives.
  'the icon of a notification': url => new Notification('way', {icon: url, badge: url}),
  'the icon of a kept notification': async url => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.showNotification('way', {icon: url, badge: url});
  },
  'the artwork of a media session': async url => {
    navigator.mediaSession.metadata = new MediaMetadata({title: 'way', artwork: [{src: url, sizes: '96x96'}]});
    navigator.mediaSession.playbackState = 'playing';
    const context = new AudioContext();
    const tone = context.createOscillator();
    const stream = context.createMediaStreamDestination();
    tone.connect(stream);
    tone.start();
    const audio = document.createElement('audio');
    audio.srcObject = stream.stream;
    document.body.append(audio);
    await audio.play();
  },
  // Not waited for: a person would choose where it is shown.
  'a presentation': url => {
    const request = Reflect.construct(Reflect.get(globalThis, 'PresentationRequest'), [[url]]) as PresentationOf;
    request.getAvailability().catch(() => {});
    request.start().catch(() => {});
  },
  // Made of elements: the page's policy lets no text become markup.
  'XSLT, which imports': url => {
    const xsl = 'http://www.w3.org/1999/XSL/Transform';
    const sheet = document.implementation.createDocument(xsl, 'xsl:stylesheet');
    sheet.documentElement.setAttribute('version', '1.0');
    for (const href of [url, `${location.origin}/way`]) {
      const imported = sheet.createElementNS(xsl, 'xsl:import');
      imported.setAttribute('href', href);
      sheet.documentElement.append(imported);
    }
    const processor = new XSLTProcessor();
    processor.importStylesheet(sheet);
    processor.transformToFragment(document, document);
  },
  'XSLT, which reads a document': url => {
    const xsl = 'http://www.w3.org/1999/XSL/Transform';
    const sheet = document.implementation.createDocument(xsl, 'xsl:stylesheet');
    sheet.documentElement.setAttribute('version', '1.0');
    const template = sheet.createElementNS(xsl, 'xsl:template');
    template.setAttribute('match', '/');
    for (const href of [url, `${location.origin}/way`]) {
      const copied = sheet.createElementNS(xsl, 'xsl:copy-of');
      copied.setAttribute('select', `document('${href}')`);
      template.append(copied);
    }
    sheet.documentElement.append(template);
    const processor = new XSLTProcessor();
    processor.importStylesheet(sheet);
    processor.transformToFragment(document, document);
  },
  'the icon of a password': url => {
    const of = {id: 'way', name: 'way', password: 'way', iconURL: url.replace('http:', 'https:')};
    return navigator.credentials.store(Reflect.construct(Reflect.get(globalThis, 'PasswordCredential'), [of]));
  },
};

/** No request is made, but Chromium connects to the host before it looks at the policy. */
export const connects: Ways = {
  form: url => {
    const form = document.createElement('form');
    form.action = url;
    document.body.append(form);
    form.submit();
  },
  iframe: url => {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
  },
};

/** Permissions-Policy stops these, which only a header can set. Chromium requests /.well-known/webauthn from the host. */
export const needsHeader: Ways = {
  'credentials.get': url =>
    navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId: new URL(url).hostname}}),
  'credentials.create': url => {
    const rp = {id: new URL(url).hostname, name: 'way'};
    const user = {id: new Uint8Array(8), name: 'way', displayName: 'way'};
    const pubKeyCredParams = [{type: 'public-key', alg: -7} as const];
    return navigator.credentials.create({publicKey: {rp, user, pubKeyCredParams, challenge: new Uint8Array(16)}});
  },
};

/** The same request, and no policy stops it. */
export const signals: Ways = {
  signalUnknownCredential: url =>
    Reflect.get(PublicKeyCredential, 'signalUnknownCredential').call(PublicKeyCredential, {
      rpId: new URL(url).hostname,
      credentialId: 'AAAA',
    }),
  signalAllAcceptedCredentials: url =>
    Reflect.get(PublicKeyCredential, 'signalAllAcceptedCredentials').call(PublicKeyCredential, {
      rpId: new URL(url).hostname,
      userId: 'AAAA',
      allAcceptedCredentialIds: [],
    }),
  signalCurrentUserDetails: url =>
    Reflect.get(PublicKeyCredential, 'signalCurrentUserDetails').call(PublicKeyCredential, {
      rpId: new URL(url).hostname,
      userId: 'AAAA',
      name: 'way',
      displayName: 'way',
    }),
};

/** No policy of today's browsers has a word for these. A call that nothing holds may be collected before it sends anything. */
export const notStopped: Ways = {
  WebRTC: async url => {
    const {hostname, port} = new URL(url);
    const call = new RTCPeerConnection({iceServers: [{urls: `stun:${hostname}:${port}`}]});
    Object.assign(globalThis, {stun: call});
    call.createDataChannel('x');
    await call.setLocalDescription(await call.createOffer());
  },
  TURN: async url => {
    const {hostname, port} = new URL(url);
    const urls = `turn:${hostname}:${port}?transport=tcp`;
    const call = new RTCPeerConnection({iceServers: [{urls, username: 'way', credential: 'way'}]});
    Object.assign(globalThis, {turn: call});
    call.createDataChannel('x');
    await call.setLocalDescription(await call.createOffer());
  },
  FederatedCredential: url => {
    const iconURL = url.replace('http:', 'https:');
    const of = {id: 'way', provider: new URL(iconURL).origin, iconURL};
    return navigator.credentials.store(Reflect.construct(Reflect.get(globalThis, 'FederatedCredential'), [of]));
  },
  'dns-prefetch': url => {
    const link = document.createElement('link');
    link.rel = 'dns-prefetch';
    link.href = url;
    document.head.append(link);
  },
  preconnect: url => {
    const link = document.createElement('link');
    link.rel = 'preconnect';
    link.href = url;
    document.head.append(link);
  },
  'window.open': url => window.open(url),
  download: url => {
    const link = document.createElement('a');
    link.href = url;
    link.download = 'way';
    document.body.append(link);
    link.click();
  },
  navigation: url => {
    location.href = url;
  },
};
