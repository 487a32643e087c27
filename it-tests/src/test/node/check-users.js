// Runs the npm client etcd3 with users and passwords against one member:
// node check-users.js HOST:PORT
// Authentication is on; root's password is "root", and "node" may read and write keys from n to o.
'use strict';
const assert = require('node:assert');
const { Etcd3 } = require('etcd3');

const endpoint = process.argv[2];
const as = (username) =>
  new Etcd3({ hosts: `http://${endpoint}`, auth: { username, password: username } });

async function keys() {
  const client = as('node');
  await client.put(`n${endpoint}`).value('1');
  assert.strictEqual(await client.get(`n${endpoint}`).string(), '1');
  await assert.rejects(client.put('x').value('1'), /permission denied/);
  await assert.rejects(client.get('x').string(), /permission denied/);
  client.close();
}

async function users() {
  const root = as('root');
  const name = `user-${endpoint.replace(':', '-')}`;
  const role = root.role(`role-${name}`);
  await role.create();
  await role.grant({ permission: 'Readwrite', range: root.range({ prefix: 'n' }) });
  const user = await root.user(name).create(name);
  await user.addRole(role);
  assert.deepStrictEqual(
    (await user.roles()).map((held) => held.name),
    [`role-${name}`],
  );
  const client = as(name);
  assert.strictEqual(await client.get(`n${endpoint}`).string(), '1');
  await assert.rejects(root.user(name).create('x'), /user name already exists/);
  await user.delete();
  await role.delete();
  client.close();
  root.close();
}

async function wrongPassword() {
  const client = new Etcd3({
    hosts: `http://${endpoint}`,
    auth: { username: 'node', password: 'wrong' },
  });
  await assert.rejects(client.get('n').string(), /authentication failed, invalid user ID or password/);
  client.close();
}

(async () => {
  for (const step of [keys, users, wrongPassword]) {
    await step();
    console.log(`${step.name} ok`);
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
