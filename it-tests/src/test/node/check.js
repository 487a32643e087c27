// Runs everyday operations of the npm client etcd3 against one member: node check.js HOST:PORT
// Prints one line for each finished step; exits with 1 at the first that goes wrong.
'use strict';
const assert = require('node:assert');
const { Etcd3 } = require('etcd3');

const endpoint = process.argv[2];
const client = new Etcd3({ hosts: `http://${endpoint}` });
const prefix = `node/${endpoint}/`;

function nextEvent(watcher, name) {
  return new Promise((resolve, reject) => {
    watcher.once(name, resolve);
    watcher.once('error', reject);
  });
}

async function putGetDelete() {
  const key = `${prefix}key`;
  assert.strictEqual(await client.get(key).string(), null);
  await client.put(key).value('1');
  assert.strictEqual(await client.get(key).string(), '1');
  await client.put(`${prefix}other`).value('2');
  assert.deepStrictEqual(await client.getAll().prefix(prefix).strings(), {
    [`${prefix}key`]: '1',
    [`${prefix}other`]: '2',
  });
  assert.strictEqual((await client.delete().key(key)).deleted, '1');
  assert.strictEqual(await client.get(key).string(), null);
}

async function txn() {
  const key = `${prefix}txn`;
  const putIfAbsent = () =>
    client
      .if(key, 'Create', '==', 0)
      .then(client.put(key).value('new'))
      .else(client.get(key))
      .commit();
  assert.strictEqual((await putIfAbsent()).succeeded, true);
  const second = await putIfAbsent();
  assert.strictEqual(second.succeeded, false);
  assert.strictEqual(second.responses[0].response_range.kvs[0].value.toString(), 'new');
}

async function watch() {
  const key = `${prefix}watched`;
  const watcher = await client.watch().key(key).create();
  const put = nextEvent(watcher, 'put');
  await client.put(key).value('live');
  assert.strictEqual((await put).value.toString(), 'live');
  const deleted = nextEvent(watcher, 'delete');
  await client.delete().key(key);
  assert.strictEqual((await deleted).key.toString(), key);
  await watcher.cancel();
}

async function compaction() {
  const key = `${prefix}compacted`;
  await client.put(key).value('1');
  const revision = (await client.put(key).value('2')).header.revision;
  await client.kv.compact({ revision });
  await assert.rejects(
    client.get(key).revision(Number(revision) - 1).string(),
    /mvcc: required revision has been compacted/
  );
  assert.strictEqual(await client.get(key).revision(revision).string(), '2');
}

async function lease() {
  const key = `${prefix}leased`;
  const lease = client.lease(30);
  await lease.put(key).value('v');
  const id = await lease.grant();
  const { kvs } = await client.get(key).exec();
  assert.strictEqual(kvs[0].lease, id);
  await lease.keepaliveOnce();
  const left = await client.leaseClient.leaseTimeToLive({ ID: id, keys: true });
  assert.strictEqual(left.grantedTTL, '30');
  assert.deepStrictEqual(
    left.keys.map((attached) => attached.toString()),
    [key]
  );
  await lease.revoke();
  assert.strictEqual(await client.get(key).string(), null);
  await assert.rejects(
    client.leaseClient.leaseRevoke({ ID: id }),
    /requested lease not found/
  );
}

async function lock() {
  const name = `${prefix}lock`;
  const mine = await client.lock(name).ttl(30).acquire();
  await assert.rejects(client.lock(name).ttl(30).acquire());
  await mine.release();
  await client.lock(name).ttl(30).do(async () => {});
}

async function election() {
  const election = client.election(`${prefix}election`, 30);
  const campaign = election.campaign('one');
  await nextEvent(campaign, 'elected');
  assert.strictEqual(await election.leader(), 'one');
  const observer = await election.observe();
  const changed = nextEvent(observer, 'change');
  await campaign.proclaim('uno');
  assert.strictEqual(await changed, 'uno');
  await observer.cancel();
  await campaign.resign();
}

async function membersAndStatus() {
  const { header, members } = await client.cluster.memberList({});
  assert.deepStrictEqual(members.map((member) => member.name).sort(), ['m0', 'm1', 'm2']);
  const self = members.find((member) => member.ID === header.member_id);
  assert.deepStrictEqual(self.clientURLs, [`http://${endpoint}`]);
  const status = await client.maintenance.status();
  assert.strictEqual(status.header.member_id, header.member_id);
  assert.ok(members.some((member) => member.ID === status.leader));
}

async function main() {
  for (const step of [
    putGetDelete,
    txn,
    watch,
    compaction,
    lease,
    lock,
    election,
    membersAndStatus,
  ]) {
    await step();
    console.log(`${step.name} ok`);
  }
  client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
