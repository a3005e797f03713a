<?php

/** Run with: standin exec -- phpunit ShopTest.php. Standin.php beside this file is the control kit of clients/php. */

declare(strict_types=1);

require_once __DIR__ . '/Standin.php';
require_once __DIR__ . '/Shop.php';

final class ShopTest extends PHPUnit\Framework\TestCase
{
    use Standin\HasAccount;

    private const EARNED_20K = [
        'payout_account' => ['bank_code' => '058', 'account_number' => '0123456789'],
        'payments' => [['amount' => 20_000, 'settled' => true]],
    ];

    private function shop(): Shop
    {
        return new Shop($this->account->baseUrl, $this->account->key);
    }

    public function testARejectedPayoutComesBackToTheBalance(): void
    {
        $this->account->load(['given' => self::EARNED_20K]);
        $shop = $this->shop();
        $before = $shop->available();
        $this->account->addRule(['on' => 'createPayout', 'outcome' => 'rejected', 'times' => 1]);

        $shop->payOut(7_000);
        self::assertSame($before - 7_000, $shop->available());
        $this->account->advance('2m');
        self::assertSame($before, $shop->available());
        $this->account->expectRequest('createPayout', ['body' => ['amount' => 7_000], 'times' => 1]);
    }

    public function testTheShopLearnsOfItByASignedWebhook(): void
    {
        $this->account->load(['given' => self::EARNED_20K]);
        $shop = $this->shop();
        // PHP handles one request at a time, so the test hands over what the sandbox has sent to its own receiver.
        $account = $this->account->control('GET', '/account');
        $shop->registerWebhook("{$this->account->baseUrl}/receiver/{$account['id']}");
        $this->account->addRule(['on' => 'createPayout', 'outcome' => 'rejected', 'times' => 1]);

        $id = $shop->payOut(7_000);
        $this->account->advance('2m');
        foreach (array_reverse($this->account->deliveries()) as $delivery) {
            $sent = $delivery['attempts'][0];
            self::assertSame(401, $shop->takeWebhook($sent['request_body'], 'forged'));
            self::assertSame(
                200,
                $shop->takeWebhook($sent['request_body'], $sent['request_headers']['X-Service-Signature']),
            );
        }
        self::assertSame('rejected', $shop->payouts[$id]);
    }

    public function testAPhoneIsVerifiedWithTheCodeThatWasSentToIt(): void
    {
        $shop = $this->shop();
        $id = $shop->sendCode('08031234567');
        $code = $this->account->waitForCode('08031234567');
        self::assertFalse($shop->isRightCode($id, '000000'));
        self::assertTrue($shop->isRightCode($id, $code));
    }
}
