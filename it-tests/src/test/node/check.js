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
  for (const step of [putGetDelete, txn, watch, compaction, membersAndStatus]) {
    await step();
    console.log(`${step.name} ok`);
  }
  client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
