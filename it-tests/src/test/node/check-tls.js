'use strict';
// Usage: node check-tls.js HOST:PORT CA CERTIFICATE KEY. Prints a line per check; the first failure ends it.
const fs = require('fs');
const { Etcd3 } = require('etcd3');

const [endpoint, ca, certificate, key] = process.argv.slice(2);
const authority = fs.readFileSync(ca);

async function known() {
  const client = new Etcd3({
    hosts: `https://${endpoint}`,
    auth: { username: 'alice', password: 'alice' },
    credentials: {
      rootCertificate: authority,
      privateKey: fs.readFileSync(key),
      certChain: fs.readFileSync(certificate),
    },
  });
  await client.put('a-node').value('1');
  if ((await client.get('a-node').string()) !== '1') throw new Error('wrong value');
  client.close();
}

async function stranger() {
  const client = new Etcd3({
    hosts: `https://${endpoint}`,
    credentials: { rootCertificate: authority },
  });
  try {
    await client.get('a-node').string();
  } catch (refused) {
    return;
  } finally {
    client.close();
  }
  throw new Error('served without a certificate');
}

(async () => {
  await known();
  console.log('known ok');
  await stranger();
  console.log('stranger ok');
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
