package snowflake

import "testing"

func TestAccount_HostAndName(t *testing.T) {
	for account, want := range map[string][2]string{
		"MyOrg-My_Acc":           {"myorg-my-acc.snowflakecomputing.com", "MYORG-MY_ACC"},
		"xy12345":                {"xy12345.snowflakecomputing.com", "XY12345"},
		"xy12345.us-east1":       {"xy12345.us-east1.snowflakecomputing.com", "XY12345"},
		"xy12345.cn-northwest-1": {"xy12345.cn-northwest-1.snowflakecomputing.cn", "XY12345"},
		"xy12345-abc.global":     {"xy12345-abc.global.snowflakecomputing.com", "XY12345"},
		"xy12345.eu-central-1.snowflakecomputing.com": {"xy12345.eu-central-1.snowflakecomputing.com", "XY12345"},
	} {
		if got := [2]string{hostOfAccount(account), tokenAccountName(account)}; got != want {
			t.Errorf("%s: %v, want %v", account, got, want)
		}
	}
}
