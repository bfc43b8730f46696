// A server that answers, and counts what comes: connections, requests, and datagrams to the same port.
import {createSocket} from 'node:dgram';
import {createServer} from 'node:net';

export interface Sink {
  readonly url: string;
  connections: number;
  requests: number;
  datagrams: number;
  close(): void;
}

/** What came of a way: nothing, a connection or a datagram without a request, or a request. */
export type Outcome = 'nothing' | 'connection' | 'datagram' | 'request';

export const outcome = ({connections, requests, datagrams}: Sink): Outcome => {
  if (requests > 0) return 'request';
  if (datagrams > 0) return 'datagram';
  return connections > 0 ? 'connection' : 'nothing';
};

export function startSink(host: string): Promise<Sink> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => {
      sink.connections++;
      socket.on('error', () => undefined);
      socket.once('data', () => {
        sink.requests++;
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      });
    });
    const datagrams = createSocket('udp4');
    datagrams.on('message', () => sink.datagrams++);
    const close = (): void => {
      server.close();
      datagrams.close();
    };
    const sink = {url: '', connections: 0, requests: 0, datagrams: 0, close};
    server.on('error', reject).listen(0, host, () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      sink.url = `http://${host}:${port}/leak`;
      datagrams.on('error', reject).bind(port, host, () => resolve(sink));
    });
  });
}
